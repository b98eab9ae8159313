import { expect, test } from 'vitest'
import { FunctionError } from '../result.ts'
import { type ChartFiles, lookupsOf, randomFields } from './random-values.ts'
import { readVendorObjects, type VendorObject } from './vendor-objects.ts'

const SOURCE = '# Source: web/templates/secret.yaml\n'

function secret(name: string, password: string, source = SOURCE): string {
  return `---\n${source}apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\ndata:\n  password: ${password}\n`
}

function read(...texts: readonly string[]): readonly VendorObject[] {
  return readVendorObjects([{ name: 'chart', bytes: Buffer.from(texts.join('')) }]).objects
}

/** Returns the findings about two runs, without what all of them say. */
function findings(first: readonly string[], second: readonly string[], chart: ChartFiles = new Map()): readonly string[] {
  return randomFields(read(...first), read(...second), chart).map(({ message }) =>
    message.replace(' must be the same in each run of the chart, and is random', ''),
  )
}

const NO_VALUE = 'set what the template makes it from with --values, or leave the object out with the values of the chart'

test('equal runs have no random fields, in any order', () => {
  expect(findings([secret('a', 'x'), secret('b', 'y')], [secret('b', 'y'), secret('a', 'x')])).toEqual([])
})

test('a random field is an error with its template, and no value is shown', () => {
  expect(randomFields(read(secret('a', 'x')), read(secret('a', 'y')), new Map())).toEqual([
    {
      severity: 'error',
      message: `\`data.password\` of \`Secret a\` must be the same in each run of the chart, and is random: ${NO_VALUE}`,
      resourceRef: { apiVersion: 'v1', kind: 'Secret', name: 'a' },
      file: { path: 'web/templates/secret.yaml', index: 0 },
      tags: { rule: 'import-random' },
    },
  ])
})

test('a key of a Secret that must be quoted is named', () => {
  const [one, other] = ['x', 'y'].map((value) => read(secret('a', `fixed\n  tls.crt: ${value}`)))
  const { results } = new FunctionError(randomFields(one ?? [], other ?? [], new Map()))
  expect(results.map(({ message }) => message)).toEqual([expect.stringMatching(/^`data\["tls\.crt"\]` of `Secret a` must be the same/)])
})

test('an object whose name is random is reported once, as the object of the first run', () => {
  expect(findings([secret('a', 'x')], [secret('b', 'x')])).toEqual([`\`metadata.name\` of \`Secret a\`: ${NO_VALUE}`])
})

test('an object that only the second run has is reported if nothing else is', () => {
  expect(findings([secret('a', 'x')], [secret('a', 'x'), secret('b', 'x')])).toEqual([`\`metadata.name\` of \`Secret b\`: ${NO_VALUE}`])
  expect(findings([secret('a', 'x')], [secret('a', 'y'), secret('b', 'x')])).toEqual([`\`data.password\` of \`Secret a\`: ${NO_VALUE}`])
})

const FILL = 'x: y\nx: y\nx: y\n'

test.each([
  {
    reason: 'the value of the line of the field',
    chart: { 'templates/secret.yaml': `a: {{ .Values.far }}\n${FILL}  password: {{ .Values.auth.password | b64enc }}\n` },
    way: 'set the value auth.password with --values',
  },
  {
    reason: 'values within two lines of the field',
    chart: {
      'templates/secret.yaml': `{{ if .Values.three }}\n{{ if .Values.two }}\nx: y\npassword: a\nx: y\n{{ .Values.after }}\n{{ .Values.far }}\n`,
    },
    way: 'set the values two, after with --values',
  },
  {
    reason: 'values beside a function with random results, each once',
    chart: { 'templates/secret.yaml': `{{ .Values.b }}{{ randAlphaNum 8 }}{{ .Values.b }}\n` },
    way: 'set the value b with --values',
  },
  {
    reason: 'another template, if the own one has no value',
    chart: { 'templates/secret.yaml': 'password: a\n', 'templates/_helpers.tpl': '{{ .Values.c | default (genPrivateKey "rsa") }}\n' },
    way: 'set the value c with --values',
  },
  {
    reason: 'no other template, if the own one has a value',
    chart: { 'templates/secret.yaml': 'password: {{ .Values.a }}\n', 'templates/_helpers.tpl': '{{ .Values.c | default uuidv4 }}\n' },
    way: 'set the value a with --values',
  },
  {
    reason: 'no file beside the templates',
    chart: { 'templates/secret.yaml': 'password: a\n', 'README.md': '{{ .Values.c | default uuidv4 }}\n' },
    way: NO_VALUE,
  },
  {
    reason: 'the values of a subchart, below its name',
    chart: { 'templates/secret.yaml': 'password: a\n', 'charts/db/charts/tls/templates/a.yaml': '{{ .Values.c }}{{ now }}\n' },
    way: 'set the value db.tls.c with --values',
  },
  {
    reason: 'another template without random results',
    chart: { 'templates/secret.yaml': 'password: a\n', 'templates/a.yaml': '{{ .Values.c }}\n' },
    way: NO_VALUE,
  },
  {
    reason: 'five values at most',
    chart: { 'templates/secret.yaml': `password: ${['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `{{ .Values.${name} }}`).join('')}\n` },
    way: 'set the values a, b, c, d, e and 1 more with --values',
  },
])('the values that keep a field the same: $reason', ({ chart, way }) => {
  expect(findings([secret('a', 'x')], [secret('a', 'y')], new Map(Object.entries(chart)))).toEqual([
    `\`data.password\` of \`Secret a\`: ${way}`,
  ])
})

test('an object without a template has no values', () => {
  const chart = new Map([['templates/secret.yaml', 'password: {{ .Values.a }}\n']])
  const [finding] = randomFields(read(secret('a', 'x', '')), read(secret('a', 'y', '')), chart)
  expect(finding?.message.endsWith(NO_VALUE)).toBe(true)
  expect(finding).not.toHaveProperty('file')
})

test.each([
  ...['randAlpha 8', 'randNumeric 8', 'randAlphaNum 8', 'randAscii 8', 'randBytes 8', 'randInt 1 8', 'genCA "a" 1', 'genPrivateKey "rsa"'],
  ...['genSelfSignedCert "a"', 'genSignedCert "a"', 'genCAWithKey "a"', 'uuidv4', 'now | date "2006"', 'htpasswd "a" "b"', 'bcrypt "a"'],
  ...['derivePassword 1 "long" "a" "b" "c"', 'shuffle "abc"'],
])('the result of {{ %s }} differs in each run', (call) => {
  const chart = new Map([['templates/a.yaml', `{{ .Values.a }}{{ ${call} }}\n`]])
  expect(findings([secret('a', 'x')], [secret('a', 'y')], chart)).toEqual(['`data.password` of `Secret a`: set the value a with --values'])
})

test.each(['nowhere', 'randomize 8', 'generate', 'known'])('the result of {{ %s }} is the same in each run', (call) => {
  const chart = new Map([['templates/a.yaml', `{{ .Values.a }}{{ ${call} }}\n`]])
  expect(findings([secret('a', 'x')], [secret('a', 'y')], chart)).toEqual([`\`data.password\` of \`Secret a\`: ${NO_VALUE}`])
})

test('a template that asks the cluster is a warning at its first line that does', () => {
  const chart = new Map([
    ['templates/a.yaml', 'a: b\n{{- $s := lookup "v1" "Secret" "n" "a" }}\n{{ lookup "v1" "Secret" "n" "b" }}\n'],
    ['templates/b.yaml', 'lookup "v1"\n{{ lookup }}\n{{ .Values.lookup }}\n{{ mylookup "v1" }}\n'],
    ['README.md', '{{ lookup "v1" "Secret" "n" "a" }}\n'],
  ])
  expect(lookupsOf(chart).map(({ severity, file, position, tags }) => [severity, file?.path, position, tags.rule])).toEqual([
    ['warning', 'templates/a.yaml', { line: 2, column: 1 }, 'import-lookup'],
  ])
})
