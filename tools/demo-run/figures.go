package main

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// This file computes the long outputs of tools, with the arithmetic of the service
// before and after its repair.

// floatRound is the original money.Round. It fails for halves without an exact
// binary form, and for halves below zero.
func floatRound(amount float64, places int) float64 {
	scale := math.Pow10(places)
	// The conversion keeps the two steps apart on machines that would fuse them.
	return math.Floor(float64(amount*scale)+0.5) / scale
}

// floatCents converts to cents as the service did: it truncates.
func floatCents(amount float64) int64 { return int64(floatRound(amount, 2) * 100) }

// divRound divides by d, half away from zero.
func divRound(n, d int64) int64 {
	if n < 0 {
		return -divRound(-n, d)
	}
	return (n + d/2) / d
}

func decimal(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

// sweep returns the output of the sweep test before the repair.
func sweep() string {
	var b strings.Builder
	b.WriteString("\x1b]0;make sweep\x07=== RUN   TestRoundSweep\n")
	failed := 0
	for cents := range 500 {
		amount := float64(cents*10+5) / 1000
		want, got := float64(cents+1)/100, floatRound(amount, 2)
		if got == want {
			fmt.Fprintf(&b, "    round_test.go:46: Round(%.3f, 2) = %.2f\n", amount, got)
			continue
		}
		failed++
		fmt.Fprintf(&b, "    round_test.go:49: \x1b[31mRound(%.3f, 2) = %.2f, want %.2f\x1b[0m\n", amount, got, want)
	}
	fmt.Fprintf(&b, "\x1b[1;31m--- FAIL: TestRoundSweep (0.01s)\x1b[0m\nFAIL\nFAIL\texample.com/billing/internal/money\t0.014s\n%d of 500 wrong\n", failed)
	return b.String()
}

type customer struct {
	name, country string
	rate          int64
}

var customers = [...]customer{
	{"Acorn Example Ltd", "IE", 2300},
	{"Blaupause Beispiel GmbH", "DE", 1900},
	{"Cantina Ejemplo SL", "ES", 2100},
	{"Dune Voorbeeld BV", "NL", 2100},
	{"Lumière Exemple SAS", "FR", 2000},
	{"株式会社サンプル商会 🧾", "JP", 0},
	{"Fjord Eksempel ApS", "DK", 2500},
	{"Verde Esempio Srl", "IT", 2200},
	{"Jantar Przykład sp. z o.o.", "PL", 2300},
	{"Näide Pilv OÜ", "EE", 2400},
}

// A sale is one line of an invoice of the month.
type sale struct {
	sku                       string
	quantity, price, discount int64
	rate                      int64
	net, tax, oldNet, oldTax  int64 // cents: as they should be, as the service had them
}

type bill struct {
	number   int
	customer customer
	sales    []sale
}

func newSale(sku string, quantity, price, discount, rate int64) sale {
	l := sale{sku: sku, quantity: quantity, price: price, discount: discount, rate: rate}
	l.net = divRound(quantity*price*(10_000-discount), 1_000_000)
	l.tax = divRound(l.net*rate, 10_000)
	amount := float64(price) / 10_000 * float64(quantity)
	if discount != 0 {
		amount *= 1 - float64(discount)/10_000
	}
	l.oldNet = floatCents(amount)
	l.oldTax = floatCents(float64(l.oldNet) / 100 * (float64(rate) / 10_000))
	return l
}

func (b bill) totals() (net, tax int64) {
	for _, l := range b.sales {
		net += l.net
		tax += l.tax
	}
	return net, tax
}

// month returns February's invoices, 1960 to 2329.
func month() []bill {
	d := newDice("month")
	catalogue := [...]struct {
		sku   string
		price int64
		most  int
	}{
		{"api-calls", 10_050, 9},
		{"storage", 2_350, 240},
		{"seats", 122_500, 12},
		{"messages", 115, 900},
		{"egress", 850, 400},
		{"support", 495_000, 1},
	}
	var bills []bill
	for number := 1960; number < 2330; number++ {
		b := bill{number: number, customer: customers[d.IntN(len(customers))]}
		if number == 2041 {
			b.customer = customers[1]
			b.sales = []sale{newSale("api-calls", 1, 10_050, 0, 1900), newSale("storage", 57, 2_350, 0, 1900), newSale("seats", 5, 122_500, 1000, 1900)}
			bills = append(bills, b)
			continue
		}
		sign := int64(1)
		if d.IntN(14) == 0 {
			sign = -1
		}
		for range 1 + d.IntN(3) {
			c := catalogue[d.IntN(len(catalogue))]
			discount := [...]int64{0, 0, 0, 250, 1000}[d.IntN(5)]
			b.sales = append(b.sales, newSale(c.sku, sign*int64(1+d.IntN(c.most)), c.price, discount, b.customer.rate))
		}
		bills = append(bills, b)
	}
	return bills
}

// early is the number of invoices that the agent checks line by line.
const early = 208

// stored returns the table of invoice lines that the service wrote, as CSV.
func stored() string {
	var b strings.Builder
	b.WriteString("number,line,customer,country,sku,qty,unit_price_e4,discount_bp,tax_bp,net_cents,tax_cents\n")
	for _, bill := range month()[:early] {
		for i, l := range bill.sales {
			fmt.Fprintf(&b, "INV-%d,%d,%s,%s,%s,%d,%d,%d,%d,%d,%d\n", bill.number, i+1, bill.customer.name,
				bill.customer.country, l.sku, l.quantity, l.price, l.discount, l.rate, l.oldNet, l.oldTax)
		}
	}
	return b.String()
}

// wrong lists the incorrect lines of [stored].
func wrong() string {
	var b strings.Builder
	lines, off, bills := 0, 0, 0
	for _, bill := range month()[:early] {
		before := off
		for i, l := range bill.sales {
			lines++
			if l.net == l.oldNet && l.tax == l.oldTax {
				continue
			}
			off++
			fmt.Fprintf(&b, "INV-%d line %d %-10s net %9s should be %9s   tax %8s should be %8s   %s\n", bill.number, i+1,
				l.sku, decimal(l.oldNet), decimal(l.net), decimal(l.oldTax), decimal(l.tax), bill.customer.name)
		}
		if off > before {
			bills++
		}
	}
	fmt.Fprintf(&b, "%d of %d lines wrong, on %d of %d invoices\n", off, lines, bills, early)
	return b.String()
}

// reconciled returns the output of cmd/reconcile. The journal of the old portal has
// the right amounts, and replaying it with floating point numbers loses cents.
func reconciled() string {
	var b strings.Builder
	cut := func(cents int64) int64 { return int64(float64(cents) / 100 * 100) }
	refused, differ, sum := 0, 0, int64(0)
	for _, bill := range month() {
		net, tax := bill.totals()
		gross := net + tax
		fmt.Fprintf(&b, "INV-%d  invoice %10s  ", bill.number, decimal(gross))
		switch left := cut(gross) - cut(tax) - cut(net); {
		case left != 0:
			refused++
			fmt.Fprintf(&b, "REFUSED  posting replay-INV-%d: entries do not add up to zero: %s left over\n", bill.number, decimal(left))
		case cut(gross) != gross:
			differ++
			sum += cut(gross) - gross
			fmt.Fprintf(&b, "ledger %10s  DIFF %s\n", decimal(cut(gross)), decimal(cut(gross)-gross))
		default:
			fmt.Fprintf(&b, "ledger %10s  ok\n", decimal(gross))
		}
	}
	fmt.Fprintf(&b, "%d invoices: %d refused, %d differ by %s in all\nexit status 1\n", len(month()), refused, differ, decimal(sum))
	return b.String()
}

// accountMap returns the part of the migration that maps old account codes.
func accountMap() string {
	d := newDice("accounts")
	kinds := [...]struct {
		label   string
		account int
		sign    int
	}{
		{"Receivables", 1400, 1},
		{"Revenue", 8400, -1},
		{"VAT payable", 3806, -1},
		{"Credit notes", 8730, 1},
		{"Prepaid usage", 3272, -1},
		{"Payment fees", 4970, 1},
	}
	regions := [...]string{"AT", "BE", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "IE", "IT", "JP", "LU", "NL", "PL", "PT", "SE", "SI", "SK", "ZZ"}
	var rows []string
	for _, region := range regions {
		for _, k := range kinds {
			rows = append(rows, fmt.Sprintf("    ('%s-%d-%s', %d, %d, '%s %s')", region, 10+d.IntN(89),
				strings.ToUpper(strings.ReplaceAll(k.label[:4], " ", "")), k.account, k.sign, k.label, region))
		}
	}
	return strings.Join(rows, ",\n") + ";"
}

// serverLog returns the end of the log of the development server. It includes the
// token of one refused request.
func serverLog() string {
	d := newDice("log")
	at := time.Date(2026, 3, 23, 12, 51, 0, 0, time.UTC)
	var b strings.Builder
	for i := range 200 {
		at = at.Add(time.Duration(300+d.IntN(9000)) * time.Millisecond)
		stamp := at.Format(stampForm)
		number := 1960 + d.IntN(370)
		switch {
		case i == 141:
			fmt.Fprintf(&b, `{"time":"%s","level":"WARN","msg":"refused","path":"/v1/journal/2026-02","code":403,"err":"token not accepted: {{jwt}}"}`, stamp)
		case d.IntN(17) == 0:
			fmt.Fprintf(&b, `{"time":"%s","level":"WARN","msg":"refused","path":"/v1/invoices/INV-%d/post","code":409,"err":"posting inv-INV-%[2]d: already posted"}`, stamp, number)
		default:
			subject := [...]string{"portal", "svc-reconcile", "dev"}[d.IntN(3)]
			fmt.Fprintf(&b, `{"time":"%s","level":"INFO","msg":"request","method":"GET","path":"/v1/invoices/INV-%d","subject":"%s","ms":%d}`, stamp, number, subject, 2+d.IntN(31))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// day returns the date of an invoice of the month.
func (b bill) day() string {
	return fmt.Sprintf("2026-02-%02d", 1+(b.number-1960)*28/370)
}

// journal returns the first n lines of the old portal's journal of the month.
func journal(n int) string {
	var lines []string
	for _, b := range month() {
		net, tax := b.totals()
		for _, e := range []struct {
			account int
			cents   int64
		}{{1400, net + tax}, {3806, -tax}, {8400, -net}} {
			lines = append(lines, fmt.Sprintf("%s INV-%d %d %9s", b.day(), b.number, e.account, decimal(e.cents)))
		}
	}
	return strings.Join(lines[:n], "\n")
}

// documents returns invoices of the month as compact JSON, one per line.
func documents(from, to int) string {
	var out strings.Builder
	for _, b := range month()[from:to] {
		kind := "invoice"
		if b.sales[0].quantity < 0 {
			kind = "credit_note"
		}
		fmt.Fprintf(&out, `{"number":"INV-%d","kind":"%s","customer":{"id":"c-%s","name":"%s","country":"%[3]s"},"currency":"EUR","issued":"%[5]sT00:00:00Z","lines":[`,
			b.number, kind, b.customer.country, b.customer.name, b.day())
		for i, l := range b.sales {
			if i > 0 {
				out.WriteByte(',')
			}
			fmt.Fprintf(&out, `{"sku":"%s","text":"%[1]s, February","quantity":%d,"unit_price_e4":%d,"discount_bp":%d,"tax_rate_bp":%d}`,
				l.sku, l.quantity, l.price, l.discount, l.rate)
		}
		out.WriteString("]}\n")
	}
	return out.String()
}

// cuts lists how each receivable of the month changes when stored as a float.
func cuts() string {
	var b strings.Builder
	lost := 0
	for _, bill := range month() {
		net, tax := bill.totals()
		product := float64(net+tax) / 100 * 100
		verdict := "ok"
		if int64(product) != net+tax {
			verdict = "loses a cent"
			lost++
		}
		fmt.Fprintf(&b, "INV-%d %9s * 100 = %-24.17g cut %7d  %s\n", bill.number, decimal(net+tax), product, int64(product), verdict)
	}
	fmt.Fprintf(&b, "%d amounts lose a cent\n", lost)
	return b.String()
}
