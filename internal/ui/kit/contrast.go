package kit

import "math"

// highContrast returns a look for the high-contrast theme. Greys become the terminal's own
// colour; other colours become brighter or darker until they are legible.
func highContrast(l look) look {
	if grey(l.dark) {
		l.dark, l.light = 0, 0
		return l
	}
	for l.dark != 0 && contrastOf(l.dark, 0x000000) < wanted {
		l.dark = toward(l.dark, 0xff)
	}
	for l.light != 0 && contrastOf(l.light, 0xffffff) < wanted {
		l.light = toward(l.light, 0x00)
	}
	return l
}

// Contrast ratios that WCAG 2 requires of text.
const (
	legible = 4.5 // level AA
	wanted  = 7   // level AAA
)

// readable adjusts a look until it is legible on a shade.
func readable(l look, on ground) look {
	for on.dark != 0 && l.dark != 0 && contrastOf(l.dark, on.dark) < legible {
		l.dark = toward(l.dark, 0xff)
	}
	for on.light != 0 && l.light != 0 && contrastOf(l.light, on.light) < legible {
		l.light = toward(l.light, 0x00)
	}
	return l
}

// toward moves a colour one step towards white (0xff) or black (0).
func toward(rgb, to int) int {
	out := 0
	for _, shift := range [...]int{16, 8, 0} {
		v := rgb >> shift & 255
		v += (to - v) / 8
		if v < to {
			v++
		} else if v > to {
			v--
		}
		out |= v << shift
	}
	return out
}

func grey(rgb int) bool {
	r, g, b := rgb>>16, rgb>>8&255, rgb&255
	return max(r, g, b)-min(r, g, b) < 40
}

// contrastOf returns the WCAG 2 contrast ratio of two colours, from 1 to 21.
func contrastOf(a, b int) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(rgb int) float64 {
	sum := 0.0
	for i, weight := range [...]float64{0.2126, 0.7152, 0.0722} {
		v := float64(rgb>>(16-8*i)&255) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}
