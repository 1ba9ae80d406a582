package tokens

import (
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"
)

// texts generates texts of every kind found in a context, and of the kinds that tokenizers get
// wrong. The texts depend only on the seed.
type texts struct {
	*rand.Rand
	vocab *vocab
	runes [8][]rune // by kind
}

func newTexts(seed uint64) *texts {
	g := &texts{Rand: rand.New(rand.NewPCG(seed, seed)), vocab: o200k.tables()}
	for r := range unicode.MaxRune + 1 {
		if utf8.ValidRune(r) {
			s := string(r)
			for i := range g.runes {
				if o200k.classes.has(s, 0, 1<<i) {
					g.runes[i] = append(g.runes[i], r)
				}
			}
		}
	}
	return g
}

// next returns a text of one kind, or of several kinds in sequence.
func (g *texts) next() string {
	var b strings.Builder
	for range 1 + max(0, g.IntN(6)-2) {
		sorts := [...]func(*strings.Builder){
			g.code, g.code, g.json, g.json, g.prose, g.prose, g.prose, g.log, g.emoji, g.spaces,
			g.base64, g.equal, g.anyRunes, g.kinds, g.kinds, g.kinds, g.tokens, g.tokens, g.short, g.short, g.cased,
		}
		sorts[g.IntN(len(sorts))](&b)
	}
	return b.String()
}

func pick[T any](g *texts, from ...T) T { return from[g.IntN(len(from))] }

func (g *texts) word() string {
	word := pick(g, strings.Fields(words)...)
	switch g.IntN(12) {
	case 0:
		word = strings.ToUpper(word)
	case 1, 2:
		word = strings.ToUpper(word[:1]) + word[1:]
	case 3:
		word += strings.ToUpper(pick(g, "Id", "url", "JSON", "x")) + pick(g, strings.Fields(words)...)
	case 4:
		word += pick(g, "'s", "'S", "'ll", "'re", "'VE", "'d", "'t", "'m", "'x", "'", "’s", "'ſ", "_id", "-1")
	}
	return word
}

const words = `the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one you were
	invoice rounding handler context tool result error request token message session provider summary truncate window strategy retry
	antidisestablishmentarianism naïve café résumé i o a x foo bar tmp src index return function`

func (g *texts) code(b *strings.Builder) {
	indent := pick(g, "\t", "  ", "    ")
	for range 1 + g.IntN(10) {
		b.WriteString(strings.Repeat(indent, g.IntN(5)))
		switch g.IntN(7) {
		case 0:
			b.WriteString("func (" + g.word() + " *" + g.word() + ") " + g.word() + "(ctx context.Context) error {")
		case 1:
			b.WriteString("if err != nil {" + "\n\n" + indent + "return fmt.Errorf(\"" + g.word() + ": %w\", err)" + "\r\n}")
		case 2:
			b.WriteString("// " + g.word() + " " + g.word() + " /* " + g.word() + " */")
		case 3:
			b.WriteString("self." + g.word() + "[" + g.digits() + "] += " + g.digits() + "." + g.digits() + "e-" + g.digits())
		case 4:
			b.WriteString("</" + g.word() + "><" + g.word() + " class=\"" + g.word() + "\">")
		case 5:
			b.WriteString("https://" + g.word() + ".example.com/" + g.word() + "?" + g.word() + "=" + g.digits() + "&x=%20//")
		case 6:
			b.WriteString("#" + pick(g, "!", "=", "-", "*", "/", "~", "─") + strings.Repeat(pick(g, "=", "-", "*", "/", "─", "━"), g.IntN(90)))
		}
		b.WriteString(pick(g, "\n", "\n", "\n", "\r\n", ";\n", "\n\n", "\n \n", " \n\t\n"))
	}
}

func (g *texts) digits() string {
	b := make([]byte, 1+g.IntN(9))
	for i := range b {
		b[i] = '0' + byte(g.IntN(10))
	}
	return string(b)
}

func (g *texts) json(b *strings.Builder) {
	var value func(depth int) any
	value = func(depth int) any {
		switch n := g.IntN(8); {
		case n == 0:
			return g.IntN(1 << g.IntN(31))
		case n == 1:
			return g.Float64()
		case n == 2:
			return pick[any](g, nil, true, false, "", "\n", "\u0000")
		case n < 5 && depth < 4:
			list := make([]any, g.IntN(4))
			for i := range list {
				list[i] = value(depth + 1)
			}
			return list
		case n < 7 && depth < 4:
			object := map[string]any{}
			for range g.IntN(5) {
				object[g.word()] = value(depth + 1)
			}
			return object
		}
		return g.word() + " " + g.word()
	}
	data, err := json.Marshal(value(0))
	if g.IntN(2) == 0 {
		data, err = json.MarshalIndent(value(0), "", pick(g, "  ", "\t", "    "))
	}
	if err == nil { // it contains nothing that cannot be encoded
		b.Write(data)
	}
}

// scripts holds the beginnings of the Universal Declaration of Human Rights and similar texts.
var scripts = []string{
	"All human beings are born free and equal in dignity and rights; they're endowed with reason.",
	"Все люди рождаются свободными и равными в своём достоинстве и правах.",
	"人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。",
	"すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
	"모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
	"يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.", "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
	"सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
	"มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι.",
	"Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền.", "İstanbul'da IŞIK ve ığdır; ŞİŞLİ'DE", "ǅ ǈ ǋ ǲ ᾈ ᾳ ß ẞ ﬁ ŉ",
	"ყველა ადამიანი იბადება თავისუფალი და თანასწორი", "Բոլոր մարդիկ ծնվում են ազատ ու հավասար", "ሁሉም ሰው ነጻና እኩል ክብር", "မျိုးစိတ်", "ভাষা বাংলা", "தமிழ் மொழி",
	"Příliš žluťoučký kůň úpěl ďábelské ódy", "ñandú, ¿qué? ¡sí! «l’été» — „Größe“ … naïve", "e\u0301a\u0308\u0304 Z\u0351\u036b\u0343\u036aA\u0300B", "٣٤٥ ७८९ Ⅷ ½ ²³ ㊿ 𝟘𝟙𝟚 〇",
}

func (g *texts) prose(b *strings.Builder) {
	for range 1 + g.IntN(3) {
		text := []rune(pick(g, scripts...))
		from := g.IntN(len(text))
		b.WriteString(string(text[from : from+g.IntN(len(text)-from)+1]))
		b.WriteString(pick(g, "", " ", "\n", "\n\n", " ", ". ", "\u3000", "'s "))
	}
	for range g.IntN(20) {
		b.WriteString(g.word() + pick(g, " ", " ", " ", " ", ", ", ".\n", " (", ") ", "\n\n", "  ", "/", "'"))
	}
}

func (g *texts) log(b *strings.Builder) {
	for range 1 + g.IntN(6) {
		b.WriteString("2026-0" + g.digits()[:1] + "-1T12:" + g.digits() + "Z [" + strings.ToUpper(g.word()) + "] " + pick(g, "\x1b[31m", "", "/usr/lib/", "C:\\") + g.word())
		b.WriteString(pick(g, "\x1b[0m", "", " → ", "\t|\t", " ✗ ", ":\u00a0") + g.digits() + " ms" + pick(g, "\n", "\r\n", "  \n", "\n\n  \n", "\n\n\n   x"))
	}
}

func (g *texts) emoji(b *strings.Builder) {
	for range 1 + g.IntN(12) {
		b.WriteString(pick(g, "😀", "👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇩🇪", "❤️", "1️⃣", "✅", "☃", "🫠", "🪿", "🧑🏿‍🚀", "→", "™", "©️"))
		b.WriteString(pick(g, "", "", " ", "x", "\n", "\u200d", "\ufe0f", "'s", "A"))
	}
}

// blanks holds all characters that match \s, and some that look similar.
var blanks = []string{" ", " ", " ", "  ", "\t", "\n", "\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u00a0", "\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\u200b", "\ufeff", "\x1c", "\u180e"}

func (g *texts) spaces(b *strings.Builder) {
	for range 1 + g.IntN(8) {
		b.WriteString(strings.Repeat(pick(g, blanks...), 1+g.IntN(1+g.IntN(100))))
		b.WriteString(pick(g, "", "", "", "a", "A", "1", "/", "!", "\u0301", "字", "'s"))
	}
}

func (g *texts) base64(b *strings.Builder) {
	data := make([]byte, g.IntN(300))
	for i := range data {
		data[i] = byte(g.Uint32())
	}
	b.WriteString(pick(g, base64.StdEncoding, base64.URLEncoding).EncodeToString(data))
}

func (g *texts) equal(b *strings.Builder) {
	b.WriteString(strings.Repeat(pick(g, "a", "A", "x", "=", "-", "0", " ", "\n", "/", "ab", "aB", "字", "é", "Ж", "😀", "\u0301", "Aa", "~!"), 1+g.IntN(1+g.IntN(1500))))
}

func (g *texts) anyRunes(b *strings.Builder) {
	for range 1 + g.IntN(40) {
		if r := rune(g.IntN(1 << (7 + g.IntN(14)))); utf8.ValidRune(r) {
			b.WriteRune(r)
		}
	}
}

// kinds alternates between kinds of characters, preferably near the branches of the patterns.
func (g *texts) kinds(b *strings.Builder) {
	for range 1 + g.IntN(30) {
		if g.IntN(3) == 0 {
			b.WriteString(pick(g, " ", "'", "\n", "/", "s", "S", "ſ", "t", "LL", "re", "K", "\u0301", "ǅ", "ʰ", "ª", "\r", "a", "B", "7"))
			continue
		}
		runes := pick(g, g.runes[:]...)
		for range 1 + g.IntN(3) {
			b.WriteRune(pick(g, runes...))
		}
	}
}

// tokens joins tokens of the vocabulary, which merge differently together.
func (g *texts) tokens(b *strings.Builder) {
	for range 1 + g.IntN(25) {
		if token := g.vocab.token(g.Uint64N(g.vocab.length)); utf8.ValidString(token) {
			b.WriteString(token)
		}
	}
}

// short returns a few significant characters.
func (g *texts) short(b *strings.Builder) {
	for range 1 + g.IntN(7) {
		b.WriteString(pick(g, " ", " ", "\n", "\r", "\t", "'", "'s", "'S", "'LL", "'ſ", "a", "B", "Bc", "é", "字", "ʰ", "\u0301", "1", "12", "١", "!", "/", "//", ".", "\u00a0", "\u0085", "ǅ", "ß", "😀", "<|endoftext|>"))
	}
}

// cased mixes capitals, lower-case letters, letters without case, and marks.
func (g *texts) cased(b *strings.Builder) {
	for range 1 + g.IntN(40) {
		b.WriteString(pick(g, "A", "A", "B", "a", "b", "字", "ʰ", "ª", "\u0301", "ǅ", "É", "é", "Ж", "ж", "'s", " "))
	}
}
