package outline

// A Cost is the sum of the costs of calls in billionths of a dollar, and the number of calls
// whose cost is not known.
type Cost struct {
	Sum            int64
	Calls, Unknown int
}

// Known reports whether the cost of any call is known.
func (c Cost) Known() bool { return c.Calls > c.Unknown }

// Costs returns the cost of each node. of returns the cost of a call by its number.
func (o *Outline) Costs(of func(call int) (billionths int64, known bool)) []Cost {
	root := &o.Nodes[0]
	sums := make([]Cost, root.Last+1) // of the calls up to each number
	for n := 1; n <= root.Last; n++ {
		sums[n] = sums[n-1]
		sums[n].Calls++
		if cost, known := of(n); known {
			sums[n].Sum += cost
		} else {
			sums[n].Unknown++
		}
	}
	costs := make([]Cost, len(o.Nodes))
	for i := range o.Nodes {
		if n := &o.Nodes[i]; n.HasCalls() {
			a, b := sums[n.First-1], sums[n.Last]
			costs[i] = Cost{b.Sum - a.Sum, b.Calls - a.Calls, b.Unknown - a.Unknown}
		}
	}
	return costs
}

// Tokens returns the tokens of the messages of each node. sizes holds those of each message.
func (o *Outline) Tokens(sizes []int32) []int64 {
	sums := make([]int64, len(sizes)+1)
	for i, n := range sizes {
		sums[i+1] = sums[i] + int64(n)
	}
	tokens := make([]int64, len(o.Nodes))
	for i := range o.Nodes {
		n := &o.Nodes[i]
		tokens[i] = sums[min(n.To, len(sizes))] - sums[min(n.From, len(sizes))]
	}
	return tokens
}
