import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { mergeObject } from './merge-object.ts'
import { CONFIG, merge, POD } from './testing/merge-of-objects.ts'

test('lines that do not have to change keep their bytes', () => {
  expect(merge(CONFIG, CONFIG.replace("'two'", "'up'"), CONFIG.replace('"1"', '"7"'))).toBe(
    CONFIG.replace('"1"', '"7"').replace("'two'", "'up'"),
  )
})

test("without an edit downstream the result is upstream's text: comments, quotes, spelling, order", () => {
  const theirs = CONFIG.replace('about a', 'new about a')
    .replace('# of a', '# kpt-set: ${a}')
    .replace("'two'", '"two"')
    .replace('0644', '0o644')
  expect(merge(CONFIG, theirs, CONFIG)).toBe(theirs)
})

test("upstream's comments come where the downstream left its own alone", () => {
  const theirs = CONFIG.replace('about a', 'upstream about a')
    .replace('# of a', '# upstream of a')
    .replace("'two'", "'two' # upstream of b")
  const ours = CONFIG.replace('about a', 'own about a').replace('"1"', '"7"')
  expect(merge(CONFIG, theirs, ours)).toBe(
    CONFIG.replace('about a', 'own about a').replace('"1" # of a', '"7" # upstream of a').replace("'two'", "'two' # upstream of b"),
  )
})

test('a setter comment comes with the value that upstream changed, whatever the value was here', () => {
  const theirs = CONFIG.replace('"1" # of a', '"2" # kpt-set: ${a}')
  expect(merge(CONFIG, theirs, CONFIG.replace('"1"', '"7"'))).toBe(theirs)
})

test("the downstream's own comment stays on a value that upstream changed", () => {
  expect(merge(CONFIG, CONFIG.replace('"1"', '"2"'), CONFIG.replace('# of a', '# mine'))).toBe(CONFIG.replace('"1" # of a', '"2" # mine'))
})

test('new fields come with their comments, to the place that they have upstream', () => {
  const theirs = CONFIG.replace("  b:   'two'\n", "  b:   'two'\n  # about n\n  n:\n  - 1 # one\n  - two\n").replace(
    'apiVersion',
    '# first\nimmutable: true\napiVersion',
  )
  expect(merge(CONFIG, theirs, CONFIG.replace('"1"', '"7"'))).toBe(theirs.replace('"1"', '"7"'))
})

test("upstream's numbers keep their spelling", () => {
  expect(merge(CONFIG, CONFIG.replace('0644', '0755'), CONFIG.replace('0644', '0600'))).toBe(CONFIG.replace('0644', '0755'))
})

test('blocks of text, whole', () => {
  const theirs = CONFIG.replace('    two\n', '    two\n    three\n')
  expect(merge(CONFIG, theirs, CONFIG.replace('"1"', '"7"'))).toBe(theirs.replace('"1"', '"7"'))
})

const CRLF = CONFIG.replaceAll('\n', '\r\n')

test('a file with CRLF stays one', () => {
  const theirs = CONFIG.replace("  b:   'two'\n", "  b:   'two'\n  # about n\n  n: x\n")
  expect(merge(CONFIG, theirs, CRLF.replace('"1"', '"7"'))).toBe(theirs.replace('"1"', '"7"').replaceAll('\n', '\r\n'))
})

test('a container comes with its comments, and indented like those that are there', () => {
  const theirs = POD.replace('  - name: b', '  # the new one\n  - image: n:1 # kpt-set: n:${tag}\n    name: n\n  - name: b')
  const wide = (text: string) => text.replace(/( {2}containers:\n)([\s\S]*)/, (_, key, lines) => key + lines.replaceAll(/^ {2}/gm, '    '))
  expect(merge(POD, theirs, wide(POD).replace('[--a]', '[--mine]'))).toBe(wide(theirs).replace('[--a]', '[--mine]'))
})

test('what upstream removes takes its comments along, and nothing else', () => {
  const theirs = POD.replace('  # the one\n  - name: a\n    image: a:1 # kpt-set: a:${tag}\n    args: [--a]\n', '')
  expect(merge(POD, theirs, POD.replace('b:1', 'b:mine'))).toBe(theirs.replace('b:1', 'b:mine'))
})

test('what a clone wrote on a resource is no edit, and stays', () => {
  const cloned = POD.replace('  name: pod\n', "  name: pod\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|Pod|ns|pod'\n")
  const merged = mergeObject({ base: writtenObject(POD), theirs: writtenObject(POD.replace('a:1', 'a:2')), ours: writtenObject(cloned) })
  expect(merged.object.toText()).toBe(cloned.replace('a:1', 'a:2'))
  expect(merged.outcomes.map(({ result, ours }) => [result, ours.field.join('.')])).toEqual([['taken', 'spec.containers.0.image']])
})

test('items of a ResourceList keep the annotations of the wire', () => {
  const item = (text: string, folder: string) => {
    const wired = text.replace(
      '  name: pod\n',
      `  name: pod\n  annotations:\n    config.kubernetes.io/index: '0'\n    config.kubernetes.io/path: '${folder}/pod.yaml'\n    internal.config.kubernetes.io/seqindent: 'compact'\n`,
    )
    const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${wired.trimEnd().replaceAll('\n', '\n  ')}\n`
    const [only] = ResourceList.parse(list).items
    if (only === undefined) throw new Error('one item')
    return only
  }
  const ours = item(POD.replace('[--a]', '[--mine]'), 'edge')
  const { object: merged } = mergeObject({ base: item(POD, 'v1'), theirs: item(POD.replace('a:1', 'a:2'), 'v2'), ours })
  expect(merged.toText()).toBe(ours.toText().replace('a:1', 'a:2'))
  expect(merged.file?.path).toBe('edge/pod.yaml')
  expect(ours.toText()).toContain('a:1')
  ours.takeText(merged.toText())
  expect(ours.get(['spec', 'containers', 0, 'image'])).toBe('a:2')
})

test('an asterisk that is no alias keeps no mark of a clone from staying', () => {
  const text = CONFIG.replace('"1"', '"*/5 * * * *"')
  const ours = text.replace(
    'metadata:\n',
    "metadata:\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|default|conf'\n",
  )
  expect(merge(text, text.replace('0644', '0755'), ours)).toBe(ours.replace('0644', '0755'))
})

const FLOW = 'apiVersion: v1\nkind: X\nmap: {a: 1, b: 1, d: 1}\nlist: [{name: a, v: 1}, {name: b, v: 1}]\n'

test.each<[string, string, string, string]>([
  ['a field', FLOW.replace('a: 1', 'a: 2'), FLOW.replace('b: 1', 'b: 3'), FLOW.replace('a: 1, b: 1', 'a: 2, b: 3')],
  [
    'a new field',
    FLOW.replace('b: 1', 'b: 1, c: 2'),
    FLOW.replace('a: 1', 'a: 3'),
    FLOW.replace('a: 1, b: 1, d: 1', 'a: 3, b: 1, d: 1, c: 2'),
  ],
  ['a field that is removed', FLOW.replace('a: 1, ', ''), FLOW.replace('b: 1', 'b: 3'), FLOW.replace('a: 1, b: 1', 'b: 3')],
  [
    'lines upstream',
    FLOW.replace('{a: 1, b: 1, d: 1}', '\n  a: 2 # up\n  b: 1\n  d: 1'),
    FLOW.replace('b: 1', 'b: 3'),
    FLOW.replace('a: 1, b: 1', 'a: 2, b: 3'),
  ],
])('a map in one line stays in one line: %s', (_, theirs, ours, merged) => {
  expect(merge(FLOW, theirs, ours)).toBe(merged)
})

test('a map in lines stays in lines where upstream has it in one line', () => {
  const lines = (a: number, b: number) => `apiVersion: v1\nkind: X\nmap:\n  a: ${a} # a\n  b: ${b} # b\n`
  expect(merge(lines(1, 1), 'apiVersion: v1\nkind: X\nmap: {a: 2, b: 1}\n', lines(1, 3))).toBe(lines(2, 3))
})

const pods = (...containers: string[]) => `apiVersion: v1\nkind: Pod\nspec:\n  containers:\n${containers.join('')}`
const box = (name: string, more = '', above = '') => `${above}  - name: ${name}\n    image: ${name}:1\n${more}`

test.each<[string, string, string, string, string]>([
  [
    'its comment moves along',
    pods(box('a', '', '  # about a\n'), box('b')),
    pods(box('b'), box('a', '', '  # about a\n')),
    pods(box('a', '    tty: true\n', '  # about a\n'), box('b')),
    pods(box('b'), box('a', '    tty: true\n', '  # about a\n')),
  ],
  [
    "so does upstream's new comment",
    pods(box('a', '', '  # about a\n'), box('b')),
    pods(box('b'), box('a', '', '  # new\n')),
    pods(box('a', '    tty: true\n', '  # about a\n'), box('b')),
    pods(box('b'), box('a', '    tty: true\n', '  # new\n')),
  ],
  [
    "a person's comment stays",
    pods(box('a', '', '  # about a\n'), box('b')),
    pods(box('b'), box('a', '', '  # new\n')),
    pods(box('a', '    tty: true\n', '  # mine\n'), box('b')),
    pods(box('b'), box('a', '    tty: true\n', '  # mine\n')),
  ],
  [
    'a new one comes before it with its own comment',
    pods(box('a', '', '  # about a\n'), box('b')),
    pods(box('n', '', '  # about n\n'), box('a', '', '  # about a\n'), box('b')),
    pods(box('a', '    tty: true\n', '  # about a\n'), box('b')),
    pods(box('n', '', '  # about n\n'), box('a', '    tty: true\n', '  # about a\n'), box('b')),
  ],
])('a container gets another place: %s', (_, base, theirs, ours, merged) => {
  expect(merge(base, theirs, ours)).toBe(merged)
})

test('a list of containers in one line is merged in that line', () => {
  const inLine = (a: string, more = '') => `apiVersion: v1\nkind: Pod\nspec: {containers: [{name: a, image: "a:${a}"${more}}, {name: b}]}\n`
  expect(merge(inLine('1'), inLine('2'), inLine('1', ', tty: true'))).toBe(inLine('2', ', tty: true'))
})

const keys = (...lines: string[]) => `apiVersion: v1\nkind: ConfigMap\ndata:\n${lines.map((line) => `  ${line}\n`).join('')}`

test('new fields of a map come in the order of upstream, with their comments: at the start, between, at the end', () => {
  const theirs = keys('# about a', 'a: 1', 'b: 1', 'c: 1 # c', '# about d', 'd: 1', 'e: 1', '# about f', 'f: 1', 'g: 1')
  const ours = keys('b: mine', 'e: 1 # mine', 'own: 1')
  expect(merge(keys('b: 1', 'e: 1'), theirs, ours)).toBe(
    keys('# about a', 'a: 1', 'b: mine', 'c: 1 # c', '# about d', 'd: 1', 'e: 1 # mine', '# about f', 'f: 1', 'g: 1', 'own: 1'),
  )
})

test('a field that both sides added with one value keeps its text', () => {
  expect(merge(keys('a: 1'), keys('a: 2', 'n: x # up'), keys('a: 1', 'n: "x" # mine', 'o: 1'))).toBe(keys('a: 2', 'n: "x" # mine', 'o: 1'))
})

test('the quotes of a value that both sides changed are those of the downstream', () => {
  expect(merge(keys("a: 'one'", 'b: 1'), keys("a: 'two'", 'b: 1'), keys('a: "mine"', 'b: 3'))).toBe(keys('a: "two"', 'b: 3'))
})

test('a block of text and a text in one line replace each other', () => {
  const [line, block] = ['a: one', 'a: |\n    one\n    two']
  expect(merge(keys(line, 'b: 1'), keys(block, 'b: 1'), keys('a: mine', 'b: 3'))).toBe(keys(block, 'b: 3'))
  expect(merge(keys(block, 'b: 1'), keys(line, 'b: 1'), keys(`${block}\n    mine`, 'b: 3'))).toContain('\n  b: 3\n')
})
