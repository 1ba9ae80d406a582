package kit

import (
	"math"
	"testing"
)

// This file measures colours: the contrast of WCAG 2, the distance CIEDE2000, and what eyes without
// one kind of cones see.

// contrastOf returns the WCAG 2 contrast ratio of two colours, from 1 to 21.
func contrastOf(a, b int) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// linear returns red, green and blue as amounts of light from 0 to 1.
func linear(rgb int) (c [3]float64) {
	for i := range c {
		v := float64(rgb>>(16-8*i)&255) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		c[i] = v
	}
	return c
}

func luminance(rgb int) float64 {
	c := linear(rgb)
	return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2]
}

// A vision is a matrix on linear red, green and blue.
type vision [3][3]float64

// The visions, from Machado, Oliveira and Fernandes (2009), severity 1.
var (
	protanopia   = vision{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}
	deuteranopia = vision{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}
	normalVision = vision{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
)

// see returns a colour as CIELAB under D65, seen with a vision.
func (v *vision) see(rgb int) (l, a, b float64) {
	c := linear(rgb)
	var s [3]float64
	for i := range s {
		for j := range c {
			s[i] += v[i][j] * c[j]
		}
		s[i] = min(max(s[i], 0), 1)
	}
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124564*s[0] + 0.3575761*s[1] + 0.1804375*s[2]) / 0.95047)
	y := f(0.2126729*s[0] + 0.7151522*s[1] + 0.0721750*s[2])
	z := f((0.0193339*s[0] + 0.1191920*s[1] + 0.9503041*s[2]) / 1.08883)
	return 116*y - 16, 500 * (x - y), 200 * (y - z)
}

// apart returns the distance of two colours in CIEDE2000, seen with a vision. 1 is just noticeable.
func apart(v *vision, p, q int) float64 {
	l1, a1, b1 := v.see(p)
	l2, a2, b2 := v.see(q)
	return ciede2000([3]float64{l1, a1, b1}, [3]float64{l2, a2, b2})
}

// ciede2000 returns the distance of two CIELAB colours. The names follow Sharma, Wu and Dalal (2005).
func ciede2000(p, q [3]float64) float64 {
	sin, cos := func(deg float64) float64 { return math.Sin(deg * math.Pi / 180) }, func(deg float64) float64 { return math.Cos(deg * math.Pi / 180) }
	seventh := func(c float64) float64 { return math.Sqrt(math.Pow(c, 7) / (math.Pow(c, 7) + math.Pow(25, 7))) }
	g := 0.5 * (1 - seventh((math.Hypot(p[1], p[2])+math.Hypot(q[1], q[2]))/2))
	polar := func(x [3]float64) (c, h float64) {
		a := x[1] * (1 + g)
		if h = math.Atan2(x[2], a) * 180 / math.Pi; h < 0 {
			h += 360
		}
		return math.Hypot(a, x[2]), h
	}
	c1, h1 := polar(p)
	c2, h2 := polar(q)
	dh, hm := h2-h1, (h1+h2)/2
	switch {
	case c1*c2 == 0:
		dh, hm = 0, h1+h2
	case math.Abs(h1-h2) > 180:
		dh = math.Mod(dh+540, 360) - 180
		if hm += 180; hm >= 360 {
			hm -= 360
		}
	}
	lm, cm := (p[0]+q[0])/2, (c1+c2)/2
	t := 1 - 0.17*cos(hm-30) + 0.24*cos(2*hm) + 0.32*cos(3*hm+6) - 0.20*cos(4*hm-63)
	sl := 1 + 0.015*(lm-50)*(lm-50)/math.Sqrt(20+(lm-50)*(lm-50))
	dl, dc, dhue := (q[0]-p[0])/sl, (c2-c1)/(1+0.045*cm), 2*math.Sqrt(c1*c2)*sin(dh/2)/(1+0.015*cm*t)
	rotation := -sin(60*math.Exp(-math.Pow((hm-275)/25, 2))) * 2 * seventh(cm)
	return math.Sqrt(dl*dl + dc*dc + dhue*dhue + rotation*dc*dhue)
}

// xterm256 returns colour n of the 256 colours of xterm, from 16 on.
func xterm256(n int) int {
	if n >= 232 {
		v := 8 + 10*(n-232)
		return v<<16 | v<<8 | v
	}
	steps := [...]int{0, 95, 135, 175, 215, 255}
	n -= 16
	return steps[n/36]<<16 | steps[n/6%6]<<8 | steps[n%6]
}

// The pairs are from the test data of Sharma, Wu and Dalal (2005).
func TestColourMeasures(t *testing.T) {
	for _, c := range []struct {
		p, q [3]float64
		want float64
	}{
		{[3]float64{50, 2.6772, -79.7751}, [3]float64{50, 0, -82.7485}, 2.0425},
		{[3]float64{50, -1.3802, -84.2814}, [3]float64{50, 0, -82.7485}, 1.0000},
		{[3]float64{50, 2.5, 0}, [3]float64{50, 0, -2.5}, 4.3065},
		{[3]float64{50, 2.5, 0}, [3]float64{73, 25, -18}, 27.1492},
		{[3]float64{60.2574, -34.0099, 36.2677}, [3]float64{60.4626, -34.1751, 39.4387}, 1.2644},
		{[3]float64{2.0776, 0.0795, -1.1350}, [3]float64{0.9033, -0.0636, -0.5514}, 0.9082},
	} {
		if got := ciede2000(c.p, c.q); math.Abs(got-c.want) > 0.00006 {
			t.Errorf("%v and %v are %.4f apart, want %.4f", c.p, c.q, got, c.want)
		}
	}
	if c := contrastOf(0, 0xffffff); c < 20.9 || c > 21.1 {
		t.Errorf("black on white has a contrast of %v", c)
	}
	// Red and green of equal lightness, which eyes without green cones hardly tell apart.
	if n, d := apart(&normalVision, 0xb35c00, 0x7a7a00), apart(&deuteranopia, 0xb35c00, 0x7a7a00); d > n/2 {
		t.Errorf("red and green are %.1f apart, and %.1f with deuteranopia", n, d)
	}
	if xterm256(114) != 0x87d787 || xterm256(244) != 0x808080 {
		t.Errorf("colours 114 and 244 are %06x and %06x", xterm256(114), xterm256(244))
	}
}
