import { expect, test } from 'vitest'
import type { MergeStrategy } from './merged-package.ts'
import { config, mergeTexts } from './testing/merge-of-texts.ts'

const pod = (...args: readonly string[]) =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - name: main\n    args:\n${args.map((arg) => `    - ${arg}\n`).join('')}`

/** Returns what is said of one file that people and upstream changed, without its place and rule. */
function said(base: string, theirs: string, ours: string, strategy: MergeStrategy = 'resource-merge'): readonly string[] {
  const { messages } = mergeTexts({ base: { 'a.yaml': base }, theirs: { 'a.yaml': theirs }, ours: { 'a.yaml': ours } }, strategy)
  return messages.map((message) => message.replace(/^.*?warning: /, '').replace(/ \[edit-lost\]$/, ''))
}

const LONG = ['--config=/etc/application/config.yaml', '--feature-gates=Alpha=true,Beta=false', `--certificate=${'c'.repeat(200)}`]

test('the entries of a long list that the other side lacks are named', () => {
  const args = (port: string, level: string) => pod(`--listen=0.0.0.0:${port}`, `--log-level=${level}`, ...LONG)
  expect(said(args('80', 'info'), args('80', 'warn'), args('90', 'info'))).toEqual([
    "`spec.containers[0].args` is a list of 5 with [0] '--listen=0.0.0.0:90', [1] '--log-level=info' here; " +
      "upstream changed it to a list of 5 with [0] '--listen=0.0.0.0:80', [1] '--log-level=warn' (a.yaml:8:5), and that is taken",
  ])
})

test('a list that only lost entries says how long it is', () => {
  expect(said(pod('--a', ...LONG), pod('--a', ...LONG, '--b'), pod(...LONG))).toEqual([
    '`spec.containers[0].args` is a list of 3 here; ' +
      "upstream changed it to a list of 5 with [0] '--a', [4] '--b' (a.yaml:8:5), and that is taken",
  ])
})

test('a long list in another order says so', () => {
  const [one, two, three] = LONG.map((arg) => `${arg}0123456789`)
  expect(said(pod('--a', ...LONG), pod(`${one}`, `${three}`, `${two}`), pod(`${three}`, `${two}`, `${one}`))).toEqual([
    '`spec.containers[0].args` is a list of 3 in another order here; upstream changed it to a list of 3 in another order (a.yaml:8:5), and that is taken',
  ])
})

test('long texts are shown from their first difference, cut to 200 characters', () => {
  const text = (end: string) => config('c', `${'x'.repeat(300)}${end}`)
  const same = 'x'.repeat(20)
  expect(said(text('one'), text('two'), text('mine'))).toEqual([
    `\`data.a\` is '…${same}mine' here; upstream changed it to '…${same}two' (a.yaml:6:6), and that is taken`,
  ])
  expect(said(text('one'), text('y'.repeat(900)), text('mine'))).toEqual([
    `\`data.a\` is '…${same}mine' here; upstream changed it to '…${same}${'y'.repeat(180)}…' (a.yaml:6:6), and that is taken`,
  ])
})

test('at most three fields in which a replaced resource differs are named', () => {
  const fields = (value: string) => config('c', value, `  labels: {a: ${value}, b: ${value}, c: ${value}}\n`)
  expect(said(fields('one'), fields('two'), fields('mine'), 'force-delete-replace')).toEqual([
    "`ConfigMap c` is changed here with metadata.labels.a 'mine', metadata.labels.b 'mine', metadata.labels.c 'mine' and 1 more; " +
      "upstream has another (a.yaml:1:1) with metadata.labels.a 'two', metadata.labels.b 'two', metadata.labels.c 'two' and 1 more, and that is taken",
  ])
})

test('of a long map that is a text on the other side the beginning is shown', () => {
  const spec = (value: string) => `apiVersion: example.com/v1\nkind: Site\nmetadata:\n  name: s\nspec:\n  a: ${value}\n`
  const [message = ''] = said(spec('one'), spec('two'), spec(`{b: ${'x'.repeat(300)}}`), 'force-delete-replace')
  expect(message).toBe(
    `\`Site s\` is changed here with spec.a {"b":"${'x'.repeat(194)}…; upstream has another (a.yaml:1:1) with spec.a 'two', and that is taken`,
  )
})

test('values without kind and name are called as their file', () => {
  expect(said('port: 1\n', 'port: 2\n', 'port: 3\n', 'copy-merge')).toEqual([
    '`a.yaml` is changed here with port the number 3; upstream has another (a.yaml:1:1) with port the number 2, and that is taken',
  ])
})
