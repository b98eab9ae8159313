import { expect, test } from 'vitest'
import { memberOf } from '../../json.ts'
import type { Position } from '../../result.ts'
import { AliasError } from './alias-targets.ts'
import type { ObjectFrame } from './fast-reader.ts'
import { MAX_UNUSUAL } from './limits.ts'
import { type DocumentOwner, TextReading } from './text-reading.ts'
import { type Wanted, wantedKeys } from './wanted.ts'
import { YamlError } from './yaml-error.ts'

class Unreadable extends Error {
  readonly position: Position

  constructor(message: string, position: Position) {
    super(message)
    this.position = position
  }
}

interface Given {
  readonly frame?: ObjectFrame
  readonly head?: Wanted
  readonly readFully?: DocumentOwner['readFully']
}

/** Returns the reading of a text, and what its owner was asked for. */
function readingOf(text: string, { frame = 'document', head = wantedKeys(['head']), readFully = () => {} }: Given = {}) {
  const asked: string[] = []
  const owner: DocumentOwner = {
    frame,
    head,
    keep: (_, length) => asked.push(`keep ${length}`),
    readFully: (document, length) => {
      asked.push(`full ${length}`)
      readFully(document, length)
    },
    edited: () => {},
    locate: () => ({ line: 1, column: 1 }),
    unreadable: (_, message, position) => new Unreadable(message, position),
    sequences: () => undefined,
  }
  return { reading: new TextReading(text, { owner, forget: () => {}, write: () => {} }), asked }
}

const TEXT = 'head: {a: 1}\nbody:\n  b: [x, 2]\n  c: "3"\n'

test.each<[string, readonly (string | number)[], unknown]>([
  ['the whole value', [], { head: { a: 1 }, body: { b: ['x', 2], c: '3' } }],
  ['a value', ['body', 'c'], '3'],
  ['an item', ['body', 'b', 1], 2],
  ['nothing at a missing key', ['body', 'd'], undefined],
  ['nothing at a missing root key', ['none'], undefined],
  ['nothing at an item of the root', [0], undefined],
])('the value at a path is %s', (_, path, expected) => {
  expect(readingOf(TEXT).reading.valueAt(path)).toEqual(expected)
  const { reading } = readingOf(TEXT)
  reading.root()
  expect(reading.valueAt(path)).toEqual(expected)
})

test('values are read once for each root key, and again after they were forgotten', () => {
  const { reading, asked } = readingOf(TEXT)
  expect(reading.valueAt(['body'])).toBe(reading.valueAt(['body']))
  expect(asked).toEqual([`keep ${TEXT.length}`])
  const whole = reading.valueAt([])
  expect(reading.valueAt(['head'])).toBe(memberOf(whole, 'head'))
  const former = reading.valueAt(['body'])
  reading.forget()
  expect(reading.valueAt(['body'])).not.toBe(former)
  expect(reading.valueAt(['body'])).toEqual(former)
})

test('with nodes of the root, the value of a key is that of its nodes', () => {
  const { reading } = readingOf('- a\n- b\n')
  reading.root()
  expect([reading.valueAt([1]), reading.valueAt(['x'])]).toEqual(['b', undefined])
})

const UNUSUAL = 'head: &x {a: 1}\nbody: *x\nlast:\n  <<: *x\n  b: 2\n'

test('an unusual text gives values through aliases and merge keys', () => {
  const { reading } = readingOf(UNUSUAL)
  expect(reading.valueAt(['body', 'a'])).toBe(1)
  expect([reading.valueAt(['last', 'a']), reading.valueAt(['last', 'b']), reading.valueAt(['last'])]).toEqual([1, 2, { a: 1, b: 2 }])
  expect([reading.valueAt(['last', 'none']), reading.valueAt(['none'])]).toEqual([undefined, undefined])
  expect(reading.isUnusual()).toBe(true)
})

test('an alias without a value is an error with its path', () => {
  const { reading } = readingOf('a:\n  b: *x\nc:\n  <<: *y\n')
  const pathOf = (path: readonly string[]) => {
    try {
      reading.nodesTo(path)
      return 'none'
    } catch (error) {
      return error instanceof AliasError ? `${error.anchor} ${error.path.join('.')}` : error
    }
  }
  expect([pathOf(['a']), pathOf(['a', 'b']), pathOf(['a', 'b', 'c'])]).toEqual(['none', 'x a.b', 'x a.b'])
  expect(() => reading.valueAt(['c', 'd'])).toThrow(AliasError)
})

test('the nodes along a path end where the path does, or at the last one that exists', () => {
  const { reading } = readingOf(TEXT)
  expect(reading.nodesTo(['body', 'b', 1]).map(({ type }) => type)).toEqual(['map', 'map', 'sequence', 'scalar'])
  expect(reading.nodesTo(['body', 'none', 'x'])).toHaveLength(2)
  expect(reading.nodesTo([])).toHaveLength(1)
})

test('the head has its keys alone while nothing else was read, and all keys of an unusual text', () => {
  const keys = (text: string, whole: boolean) => {
    const { reading } = readingOf(text)
    if (whole) reading.root()
    const head = reading.head()
    return [head.type === 'map' && head.entries.map(({ key }) => key.text), head === reading.head()]
  }
  expect(keys(TEXT, false)).toEqual([['head'], true])
  expect(keys(TEXT, true)).toEqual([['head', 'body'], true])
  expect(keys(UNUSUAL, false)).toEqual([['head', 'body', 'last'], true])
  expect(keys('? head\n: 1\n? body\n: 2\n', false)).toEqual([['head', 'body'], true])
})

test('an edit below a key of the head needs the head alone, any other edit the whole root', () => {
  const { reading } = readingOf(TEXT)
  const sizeFor = (...path: (string | number)[]) => {
    reading.forget()
    const node = reading.nodeFor(path)
    return [node.type === 'map' && node.entries.length, reading.isRoot(node)]
  }
  expect(sizeFor('head', 'a')).toEqual([1, false])
  expect(sizeFor('head')).toEqual([2, true])
  expect(sizeFor('body', 'c')).toEqual([2, true])
  expect(sizeFor(0, 'a')).toEqual([2, true])
  const none = readingOf('body: {a: 1}\n').reading
  expect(none.isRoot(none.nodeFor(['head', 'a']))).toBe(true)
})

test('texts are those of the wanted keys as written, from nodes or without', () => {
  const text = 'head:\n  a: 0x10\n  b: ~\nbody: x\n'
  const wanted: Wanted = new Map([['head', new Map([['a', undefined]])]])
  const expected = new Map([['head', new Map([['a', '0x10']])]])
  const { reading } = readingOf(text)
  expect(reading.texts(wanted)).toEqual(expected)
  reading.head()
  expect(reading.texts(wanted)).toEqual(expected)
  expect(readingOf('? head\n:\n  a: 0x10\n  b: ~\n').reading.texts(wanted)).toEqual(expected)
})

test('parts that are picked are read anew, and not of a text for the full parser', () => {
  const { reading, asked } = readingOf(TEXT)
  expect(reading.pick(wantedKeys(['head']))).toEqual({ head: { a: 1 } })
  expect([reading.pick(undefined), asked]).toEqual([{ head: { a: 1 }, body: { b: ['x', 2], c: '3' } }, []])
  expect(readingOf('? a\n: 1\n').reading.pick(undefined)).toBeUndefined()
})

test('a check reads a usual text without nodes, any other with them', () => {
  const { reading, asked } = readingOf(TEXT)
  reading.check()
  reading.check()
  expect([asked, reading.isUnusual()]).toEqual([[`keep ${TEXT.length}`], false])
  const odd = readingOf('? a\n: 1\n')
  odd.reading.check()
  expect(odd.asked).toContain('full 8')
  const repeated = readingOf('a: 1\na: 2\n')
  repeated.reading.check()
  expect([repeated.reading.isUnusual(), repeated.asked.some((each) => each.startsWith('full'))]).toEqual([true, false])
})

test('a text that is not YAML is an error with the position of the fault, each time it is read', () => {
  const { reading } = readingOf('a: 1\nb: "x" y\n')
  expect(reading.rootOrFault()).toBeInstanceOf(YamlError)
  for (const read of [() => reading.root(), () => reading.check(), () => reading.valueAt([]), () => reading.valueAt(['b'])])
    expect(read).toThrow(Unreadable)
  try {
    reading.root()
  } catch (error) {
    expect(error instanceof Unreadable && error.position).toEqual({ line: 2, column: 8 })
  }
})

test.each<[ObjectFrame, string, boolean]>([
  ['item', '- ? a\n  : 1\n', true],
  ['item', '- ? a\n  : 1\n- b\n', false],
  ['item', '? a\n: 1\n', false],
  ['entry', 'x:\n  ? a\n  : 1\n', true],
  ['entry', 'x:\n  ? a\n  : 1\ny: 1\n', false],
  ['entry', '- ? a\n  : 1\n', false],
  ['document', '- ? a\n  : 1\n', true],
])('the full parser reads one object in the frame of a %s: %j', (frame, text, isRead) => {
  const root = readingOf(text, { frame }).reading.rootOrFault()
  expect(root instanceof YamlError ? root.message : 'read').toBe(isRead ? 'read' : 'expected one object')
})

test('an error of the owner that is no fault of the text is thrown', () => {
  const failing = (error: Error) =>
    readingOf('? a\n: 1\n', {
      readFully: () => {
        throw error
      },
    }).reading
  expect(() => failing(new RangeError('failed')).rootOrFault()).toThrow(RangeError)
  expect(failing(new YamlError('too much', 0)).rootOrFault()).toMatchObject({ message: 'too much' })
})

test('the unusual parts of a text are read up to the most characters, beyond them the full parser is asked', () => {
  const textOf = (length: number) => `a: &x 1\nb: ${'y'.repeat(length - 'a: &x 1\nb: \n'.length)}\n`
  const fullOf = (length: number) => {
    const { reading, asked } = readingOf(textOf(length))
    reading.rootOrFault()
    return asked.some((each) => each.startsWith('full'))
  }
  expect([fullOf(MAX_UNUSUAL), fullOf(MAX_UNUSUAL + 1)]).toEqual([false, true])
})

test('a place is found in a usual text without nodes, and in any other among its nodes', () => {
  const offset = (text: string, ...path: (string | number)[]) => {
    const { reading } = readingOf(text)
    const { place, steps } = reading.placeAt(path)
    return [text.slice(place.value, place.value + 1), steps, reading.isBlank()]
  }
  expect(offset(TEXT, 'body', 'c')).toEqual(['"', 2, false])
  expect(offset(TEXT, 'head', 'a')).toEqual(['1', 2, false])
  expect(offset('? a\n: 1\n', 'a')).toEqual(['1', 1, true])
  expect(offset('a: 1\na: 2\n', 'a')).toEqual(['2', 1, true])
})

test('positions count from one, and line starts stay after everything was forgotten', () => {
  const { reading } = readingOf(TEXT)
  expect(reading.isBlank()).toBe(true)
  expect([reading.positionAt(0), reading.positionAt(TEXT.indexOf('c:'))]).toEqual([
    { line: 1, column: 1 },
    { line: 4, column: 3 },
  ])
  reading.forget()
  expect([reading.isBlank(), reading.columnOf(TEXT.indexOf('c:'))]).toEqual([false, 2])
})
