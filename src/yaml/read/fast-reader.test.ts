import { expect, test } from 'vitest'
import { type Builder, NODES, VALUES } from './builder.ts'
import { type FastReading, findRefused, readFast } from './fast-reader.ts'
import type { Node } from './node.ts'
import { nodeValue } from './node-value.ts'
import type { Wanted } from './wanted.ts'
import { readYaml } from './yaml-reader.ts'

const REFUSED = 'refused'

/** Returns the value of a text; `refused` if the text is left to the full parser. */
function read(text: string, reading: Partial<FastReading> = {}): unknown {
  return readFast(text, VALUES, { frame: 'document', unusual: () => {}, ...reading }) ?? REFUSED
}

test.each<[FastReading['frame'], string, unknown]>([
  ['document', 'a: 1\nb: 2\n', { a: 1, b: 2 }],
  ['document', '# c\n\n  a: 1\n  b: 2\n', { a: 1, b: 2 }],
  ['document', '- a\n- b\n', ['a', 'b']],
  ['document', '{a: 1}\n', { a: 1 }],
  ['document', ' [1, 2]', [1, 2]],
  ['document', 'text\n', REFUSED],
  ['document', '"text"\n', REFUSED],
  ['document', '', REFUSED],
  ['document', '  a: 1\nb: 2\n', REFUSED],
  ['document', '{a: 1}\nb: 2\n', REFUSED],
  ['item', '- a: 1\n  b: 2\n', { a: 1, b: 2 }],
  ['item', '  - a: 1\n    b: 2\n', { a: 1, b: 2 }],
  ['item', '- {a: 1}\n', { a: 1 }],
  ['item', '- a\n- b\n', REFUSED],
  ['item', 'a: 1\n', REFUSED],
  ['item', '{a: 1}\n', REFUSED],
  ['entry', 'functionConfig:\n  a: 1\n', { a: 1 }],
  ['entry', '  functionConfig:\n    a: 1\n', { a: 1 }],
  ['entry', 'a: {b: 1}\n', { b: 1 }],
  ['entry', 'a: 1\nb: 2\n', REFUSED],
  ['entry', '- a\n', REFUSED],
  ['entry', 'text\n', REFUSED],
])('the object in the frame of a %s is read: %j', (frame, text, expected) => {
  expect(read(text, { frame })).toEqual(expected)
})

test.each([
  ['a key deeper than the others', 'a: "b"\n  c: 1\n'],
  ['a key that is less deep than the others, and deeper than the key above', 'a:\n   b: 1\n  c: 2\n'],
  ['a key among items', '- a: 1\n   b: 2\n'],
  ['an item deeper than the others', '- "a"\n  - b\n'],
  ['an item among deeper items', '-\n   - a\n  - b\n'],
  ['lines below a value in quotes', 'a: "b"\n  c\n'],
  ['lines below brackets', 'a: [b]\n  c\n'],
  ['text behind brackets', 'a: [b] c\n'],
  ['text behind quotes', 'a: "b" c\n'],
  ['a block scalar on a line of its own', 'a:\n  |\n  b\n'],
  ['a block scalar on a line of its own in an item', '-\n  |\n  b\n'],
  ['a list on the line of its key', 'a: - b\n'],
  ['a map on the line of its key', 'a: b: c\n'],
  ['a line separator', 'a: "\u2028"\n'],
  ['a lone carriage return', 'a: b\rc: 1\n'],
  ['a complex key', '? a\n: b\n'],
  ['a tab', 'a:\n\tb: 1\n'],
  ['a line without a key among keys', 'a: 1\ntext\nb: 2\n'],
])('a text with %s is left to the full parser', (_, text) => {
  expect(read(text)).toBe(REFUSED)
})

test.each<[string, unknown]>([
  ['a:\n- b\n- c\nd: 1\n', { a: ['b', 'c'], d: 1 }],
  ['a:\n  - b\n  -\n    c: 1\n  -\nd: 1\n', { a: ['b', { c: 1 }, null], d: 1 }],
  ['a:\nb:\n', { a: null, b: null }],
  ['a: # c\n  b: 1\n', { a: { b: 1 } }],
  ['a:\n  text\nb: 1\n', { a: 'text', b: 1 }],
  ['a:\n  "text"\nb: 1\n', { a: 'text', b: 1 }],
  ['a:\n  [1]\nb: 1\n', { a: [1], b: 1 }],
  ['-\n- a\n', [null, 'a']],
  ['-\n  text\n- # c\n  a: 1\n', ['text', { a: 1 }]],
  ['-   a: 1\n    b: 2\n-   - c\n    - d\n', [{ a: 1, b: 2 }, ['c', 'd']]],
  ['- |\n  a\n- >\n  b\n', ['a\n', 'b\n']],
  ['- - - a\n', [[['a']]]],
  ["a: 'b' # c\n\n# d\nb: |-\n  x\nc: [] # c\n", { a: 'b', b: 'x', c: [] }],
  ['- a\n  - b\n', ['a - b']],
  ['a: &x\n  b: 1\nc: &y\n', { a: { b: 1 }, c: null }],
  ['- &x\n- !t\n  a: 1\n', [null, { a: 1 }]],
  ['a: &x "b"\nc: !!str |\n  d\n', { a: 'b', c: 'd\n' }],
])('the layout %j is read as the full parser reads it', (text, expected) => {
  expect(read(text)).toEqual(expected)
  expect(nodeValue(readYaml(text))).toEqual(expected)
})

const nested = (depth: number, line: (level: number) => string) => Array.from({ length: depth }, (_, level) => line(level)).join('')

test.each<[string, (depth: number) => string]>([
  ['maps', (depth) => nested(depth, (level) => `${' '.repeat(level)}a:\n`)],
  ['lists', (depth) => `${'- '.repeat(depth)}a\n`],
  ['brackets', (depth) => `${'['.repeat(depth)}${']'.repeat(depth)}\n`],
  ['brackets below a key', (depth) => `a: ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}\n`],
  ['maps below lists', (depth) => `${'- '.repeat(depth - 1)}a: 1\n`],
])('a text may be nested a hundred times by %s', (_, textOf) => {
  expect(read(textOf(100))).not.toBe(REFUSED)
  expect(read(textOf(101))).toBe(REFUSED)
})

test('the frame counts as one level, and values beside each other are on one level', () => {
  const inItem = (depth: number) => `- ${nested(depth, (level) => `${level === 0 ? '' : ' '.repeat(level + 2)}a:\n`)}`
  expect([read(inItem(99), { frame: 'item' }) === REFUSED, read(inItem(100), { frame: 'item' })]).toEqual([false, REFUSED])
  expect(read(`${'- a: 1\n'.repeat(150)}`)).toHaveLength(150)
  expect(read(nested(150, (at) => `a${at}:\n- b\n`))).not.toBe(REFUSED)
})

const WANTED: Wanted = new Map<string, Wanted | undefined>([
  ['a', undefined],
  ['c', new Map([['d', undefined]])],
])

test('of the wanted keys alone the values are read, and of others no unusual part is noted', () => {
  const parts: unknown[] = []
  const reading = { wanted: WANTED, unusual: (name?: string) => void parts.push(name) }
  const text = 'a: 1\nb: &x\n  y: *x\nc:\n  d: {e: 1}\n  f:\n  - g\n  d2: 2\nz: [1]\n'
  expect(read(text, reading)).toEqual({ a: 1, c: { d: { e: 1 } } })
  expect(parts).toEqual([])
  expect(read(`- ${text.replaceAll(/\n(?=.)/g, '\n  ')}`, { ...reading, frame: 'item' })).toEqual({ a: 1, c: { d: { e: 1 } } })
  expect(read(`x:\n  ${text.replaceAll(/\n(?=.)/g, '\n  ')}`, { ...reading, frame: 'entry' })).toEqual({ a: 1, c: { d: { e: 1 } } })
  expect(read('b: 1\nz: 2\n', reading)).toEqual({})
})

test.each<[string, string, readonly unknown[]]>([
  ['an anchor', 'a: &x b\n', [undefined]],
  ['a tag', '- !t b\n', [undefined]],
  ['a key that occurs twice', 'a: 1\nb: 2\na: 3\n', ['a repeated key']],
  ['nothing', 'a: 1\nb: {c: 1}\n', []],
])('unusual parts are noted: %s', (_, text, expected) => {
  const parts: unknown[] = []
  read(text, { unusual: (name) => void parts.push(name) })
  expect(parts).toEqual(expected)
  expect(readFast(text, VALUES, { frame: 'document' }) === undefined).toBe(expected.length > 0)
})

function nodesOf(text: string): Node | undefined {
  return readFast(text, NODES, { frame: 'document', unusual: () => {} })
}

/** Returns the value of the one key of a text. */
function valueIn(text: string): Node | undefined {
  const root = nodesOf(text)
  return root?.type === 'map' ? root.entries[0]?.value : undefined
}

test.each<[string, Partial<Node> | undefined]>([
  ['a: &x b\n', { type: 'scalar', anchor: 'x' }],
  ['a: !t b\n', { type: 'scalar', tag: '!t' }],
  ['a: !!str b\n', { type: 'scalar', tag: 'tag:yaml.org,2002:str' }],
  ['a: &x !t b\n', { anchor: 'x', tag: '!t' }],
  ['a: &x !!str b\n', { anchor: 'x', tag: 'tag:yaml.org,2002:str' }],
  ['a: !t &x b\n', { anchor: 'x', tag: '!t' }],
  ['a: !!str &x b\n', { anchor: 'x', tag: 'tag:yaml.org,2002:str' }],
  ['a: &x\n  b: 1\n', { type: 'map', anchor: 'x' }],
  ['a: &x\n  - b\n', { type: 'sequence', anchor: 'x' }],
  ['a: &x [b]\n', { type: 'sequence', anchor: 'x' }],
  ['a: &x {b: 1}\n', { type: 'map', anchor: 'x' }],
  ['a: &x\n', { type: 'scalar', text: '', anchor: 'x', start: 5, end: 5 }],
  ['a: *x\n', { type: 'alias', anchor: 'x', start: 3, end: 5 }],
  ['a: *x # c\n', { type: 'alias', anchor: 'x', start: 3, end: 5 }],
  ['a: *x b\n', undefined],
  ['a: *x\n  b\n', undefined],
  ['a: *\n', undefined],
  ['a: &x *y\n', undefined],
  ['a: &x,y b\n', undefined],
  ['a: &x &y b\n', undefined],
  ['a: !t !s b\n', undefined],
  ['a: !h!t b\n', undefined],
  ['a: ! b\n', undefined],
])('the anchor and tag of %j', (text, expected) => {
  expect(valueIn(text)).toEqual(expected === undefined ? undefined : expect.objectContaining(expected))
})

test('an anchor belongs to one value, and none of the values within has it', () => {
  const text = 'a: &x\n  b: 1\n'
  const value = valueIn(text)
  expect(value?.type === 'map' && value.entries.map((entry) => 'anchor' in entry.value)).toEqual([false])
})

test('an alias is left to the full parser by a builder that knows none', () => {
  expect([read('a: *x\n'), nodesOf('a: *x\n')?.type]).toEqual([REFUSED, 'map'])
})

/** Returns the parts of a text that the nodes take, from the root on. */
function sourcesIn(text: string): readonly string[] {
  const root = nodesOf(text)
  const sources = (node: Node): readonly string[] => {
    const own = JSON.stringify(text.slice(node.start, node.end))
    if (node.type === 'map') return [own, ...node.entries.flatMap(({ value }) => sources(value))]
    return node.type === 'sequence' ? [own, ...node.items.flatMap(({ value }) => sources(value))] : [own]
  }
  return root === undefined ? [] : sources(root)
}

test.each<[string, readonly string[]]>([
  ['# c\na:\n  b: 1 # c\nc: 2\n# c\n', ['a:\n  b: 1 # c\nc: 2', 'b: 1', '1', '2']],
  ['a:\n- b\n- c\n', ['a:\n- b\n- c', '- b\n- c', 'b', 'c']],
  ['a:\nb:\n', ['a:\nb:', '', '']],
  ['a: [1]\n', ['a: [1]', '[1]', '1']],
  ['- a: |\n    x\n- y\n', ['- a: |\n    x\n- y', 'a: |\n    x', '|\n    x', 'y']],
  ['-\n', ['-', '']],
])('the nodes of %j take these parts of the text', (text, expected) => {
  expect(sourcesIn(text)).toEqual(expected.map((part) => JSON.stringify(part)))
})

test('an empty value is behind its colon or dash', () => {
  const offsets = (node: Node | undefined) =>
    node?.type === 'map' ? node.entries[0]?.value.start : node?.type === 'sequence' && node.items[0]?.value.start
  expect([offsets(nodesOf('a:   # c\n')), offsets(nodesOf('-  \n'))]).toEqual([2, 1])
})

test('with wanted keys, a map ends behind the last value that was read', () => {
  const node = readFast('a: 1\nb:\n  c: 2\n', NODES, { frame: 'document', wanted: new Map([['a', undefined]]) })
  expect([node?.start, node?.end]).toEqual([0, 4])
})

test('an error of the builder is no refusal', () => {
  const failing: Builder<true, undefined, undefined> = {
    scalar: () => {
      throw new RangeError('failed')
    },
    openMap: () => undefined,
    hasKey: () => false,
    addEntry: () => {},
    closeMap: () => true,
    openList: () => undefined,
    addItem: () => {},
    closeList: () => true,
  }
  expect(() => readFast('a: 1\n', failing, { frame: 'document' })).toThrow(RangeError)
  expect(() =>
    findRefused('a: &x 1\n', () => {
      throw new RangeError('failed')
    }),
  ).toThrow(RangeError)
})

test.each<[string, number | undefined]>([
  ['a: 1\nb: 2\n', undefined],
  ['a: 1\nb: "x" y\n', 12],
  ['a: 1\n? b\n', 5],
  ['a: &x 1\n', 3],
  ['a: 1\nb', 5],
])('the first part that the fast reader does not know: %j at %s', (text, offset) => {
  const found = findRefused(text)
  expect(found === undefined ? found : text.slice(0, found)).toBe(offset === undefined ? offset : text.slice(0, offset))
})

test('unusual parts are known where they are noted, and a text that ends too early is refused at its last character', () => {
  const noted: unknown[] = []
  expect(findRefused('a: &x 1\na: *x\n', (name) => noted.push(name))).toBeUndefined()
  expect(noted).toEqual([undefined, 'a repeated key', undefined])
  expect(findRefused('a: [1')).toBe(4)
})
