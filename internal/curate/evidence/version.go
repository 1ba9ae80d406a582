package evidence

// version is a digest of the code that finds evidence, which TestVersion checks. What lens keeps of the evidence of a
// thread is worthless once the code would find something else.
const version = "59d04ed05d6d071d"
