// Writes models.json: context windows and prices of models, from the npm package
// @pydantic/genai-prices (MIT licence, Copyright (c) Pydantic Services Inc.),
// whose data are collected from the providers' pages.
//
//	npm install @pydantic/genai-prices@0.1.8 && node models.mjs DATE models.json
//
// DATE is the day on which the package was published (npm view … time). It selects
// among several prices of a model. Prices that depend on the time of day, and prices
// of anything but text, are left out. A rate is a list: dollars per million tokens,
// then pairs of a prompt length and the rate above it.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const folder = process.cwd() + '/node_modules/@pydantic/genai-prices'
const { findProvider } = await import(pathToFileURL(folder + '/dist/index.js'))
const { version } = JSON.parse(readFileSync(folder + '/package.json'))
const [date, out] = process.argv.slice(2)

const providers = ['anthropic', 'openai', 'google', 'deepseek', 'mistral', 'x-ai', 'cohere', 'moonshotai', 'zai', 'minimax']
const rates = { input: 'input_mtok', output: 'output_mtok', cache_read: 'cache_read_mtok', cache_write: 'cache_write_mtok' }

function held(prices) {
  if (!Array.isArray(prices)) return prices
  let last = {}
  for (const { constraint, prices: p } of prices) {
    if (!constraint || (constraint.type === 'start_date' && constraint.start_date <= date)) last = p
  }
  return last
}

function rate(p) {
  if (p === undefined) return undefined
  return typeof p === 'number' ? [p] : [p.base, ...p.tiers.flatMap(t => [t.start, t.price])]
}

// Go's regular expressions have no lookahead. The one in use excludes speech models.
function plain(match) {
  return JSON.parse(JSON.stringify(match), (_, value) => {
    if (value?.regex === '^(?!.*-[tT][tT][sS](?:$|-))') return { not: { contains: '-tts' } }
    if (value?.regex?.includes('(?!')) throw new Error(`Go does not support this regular expression: ${value.regex}`)
    return value
  })
}

// Input token limits that the package lacks, from
// https://ai.google.dev/gemini-api/docs/models.
const windows = [[/^gemini-(2\.5|3|3\.1)-pro/, 1048576]]
const windowOf = m => m.context_window ?? windows.find(([name]) => name.test(m.id))?.[1]

const lines = []
for (const id of providers) {
  for (const m of findProvider({ providerId: id }).models) {
    const prices = held(m.prices)
    const row = { provider: id, id: m.id, match: plain(m.match), window: windowOf(m) }
    for (const [name, key] of Object.entries(rates)) row[name] = rate(prices[key])
    if (row.window || row.input) lines.push(JSON.stringify(row))
  }
}
const head = JSON.stringify({ source: `@pydantic/genai-prices ${version}`, date })
writeFileSync(out, `${head.slice(0, -1)},"models":[\n${lines.join(',\n')}\n]}\n`)
