// The official tokenizer as a judge: reads lines of JSON strings and answers each
// by a line of JSON, the tokens of the text in o200k_base and in cl100k_base and,
// of short texts, the bytes of the first pieces that it is split into.
// official_test.go runs this in a folder in which the npm package tiktoken is
// installed.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const require = createRequire(process.cwd() + '/')
const { Tiktoken, get_encoding } = require('tiktoken')

// A tokenizer whose tokens are bytes and whose pattern matches at the beginning
// only gives as many tokens as the first piece has bytes.
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

// Special tokens in a text count as the plain text that they are.
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const text = JSON.parse(line)
  const [o200k, cl100k] = encodings.map(e => ({ tokens: e.whole.encode_ordinary(text).length, pieces: pieces(e.first, text) }))
  console.log(JSON.stringify({ o200k, cl100k }))
}
