// Runs the official tokenizer. Reads one JSON string per line and answers each with a
// line of JSON: for o200k_base and cl100k_base, the number of tokens and, for short
// texts, the lengths in bytes of the first pieces. official_test.go runs this script in
// a directory in which the npm package tiktoken is installed.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const require = createRequire(process.cwd() + '/')
const { Tiktoken, get_encoding } = require('tiktoken')

// The tokens of this tokenizer are single bytes, and its pattern matches only at the
// start of the text. It therefore returns one token per byte of the first piece.
const bytes = '! 0 ' + [...Array(256).keys()].map(b => Buffer.from([b]).toString('base64')).join(' ')
const encodings = ['o200k_base', 'cl100k_base'].map(name => ({
  whole: get_encoding(name),
  first: new Tiktoken(bytes, {}, `\\A(?:${require(`tiktoken/encoders/${name}.json`).pat_str})`),
}))

function pieces(first, text) {
  const lengths = []
  let rest = Buffer.from(text)
  while (rest.length > 0 && rest.length <= 300 && lengths.length < 12) {
    lengths.push(first.encode_ordinary(rest.toString()).length)
    rest = rest.subarray(lengths.at(-1))
  }
  return lengths
}

// Special tokens in a text count as plain text.
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const text = JSON.parse(line)
  const [o200k, cl100k] = encodings.map(e => ({ tokens: e.whole.encode_ordinary(text).length, pieces: pieces(e.first, text) }))
  console.log(JSON.stringify({ o200k, cl100k }))
}
