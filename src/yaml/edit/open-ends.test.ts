import fc from 'fast-check'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { randomRuns } from '../../../testdata/random-runs.ts'
import { isRecord, type JsonValue } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { evaluate } from '../../run.ts'

/** A document without a line break at its end, as lines at column 0. */
const block = fc
  .tuple(
    fc.constantFrom('|', '|+', '|-', '|2', '|2+', '>', '>+', '>-', '!!str |', '| # why'),
    fc.constantFrom(['x'], ['x', 'y'], ['', 'x'], ['x', '', '  y']),
  )
  .map(([header, lines]) => ({ head: header, below: lines }))
const scalar = fc.constantFrom({ head: 'v', below: [] }, { head: '"q"', below: [] }, { head: '{a: b}', below: [] })
type Written = { readonly head: string; readonly below: readonly string[] }

const { written } = fc.letrec<{ written: Written; member: Written }>((tie) => ({
  member: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, block, block, tie('written')),
  written: fc.oneof(
    fc.array(tie('member'), { minLength: 1, maxLength: 3 }).map((members) => ({
      head: '',
      below: members.flatMap(({ head, below }, at) => [`k${at}: ${head}`.trimEnd(), ...below.map(deeper)]),
    })),
    fc.array(tie('member'), { minLength: 1, maxLength: 3 }).map((members) => ({
      head: '',
      below: members.flatMap(({ head, below }) => (head === '' ? itemOf(below) : [`- ${head}`, ...below.map(deeper)])),
    })),
  ),
}))

function itemOf([first = '', ...below]: readonly string[]): readonly string[] {
  return [`- ${first}`, ...below.map(deeper)]
}

function deeper(line: string): string {
  return line === '' ? '' : `  ${line}`
}

const document = fc.tuple(written, fc.boolean(), fc.boolean()).map(([{ below }, isEnded, isCrlf]) => {
  const text = ['kind: A', 'top:', ...below.map(deeper)].join(isCrlf ? '\r\n' : '\n')
  return isEnded ? `${text}${isCrlf ? '\r\n' : '\n'}` : text
})

const OPERATIONS = ['add', 'delete', 'scalar', 'lines', 'rotate', 'move'] as const
const edits = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...OPERATIONS)), { minLength: 1, maxLength: 3 })

type Path = readonly (string | number)[]

function placesIn(value: JsonValue | undefined, path: Path): readonly { path: Path; value: JsonValue | undefined }[] {
  const children = Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : []
  return [{ path, value }, ...children.flatMap(([key, child]) => placesIn(child, [...path, key]))]
}

/** Makes an edit somewhere in an object. */
function edit(object: KrmObject, [choice, op]: readonly [number, (typeof OPERATIONS)[number]]): void {
  const places = placesIn(object.get([]), [])
  const { path, value } = places[choice % places.length] ?? { path: [], value: undefined }
  if (op === 'add' && isRecord(value)) object.set([...path, `new${choice % 7}`], 1)
  else if (op === 'add' && Array.isArray(value)) object.set([...path, value.length], 'new')
  else if (op === 'rotate' && Array.isArray(value)) object.set(path, [...value.slice(1), ...value.slice(0, 1)])
  else if (op === 'move' && Array.isArray(value)) object.move(path, value.length - 1, 0)
  else if (path.length < 2) object.set(['other'], 'new')
  else if (op === 'delete') object.delete(path)
  else object.set(path, op === 'lines' ? 'p\nq\n' : 'w')
}

/**
 * Returns what js-yaml reads in a text; at the end of one without a line break it sees one, which is taken away from the block scalar
 * there.
 */
function judged(text: string): unknown {
  const value: unknown = load(text)
  return /(?:["}](?: # why)?|\n)$/.test(text) ? value : withoutBreak(value)
}

function withoutBreak(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\n$/, '')
  if (Array.isArray(value)) return value.map((item, at) => (at === value.length - 1 ? withoutBreak(item) : item))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, member], at) => [key, at === entries.length - 1 ? withoutBreak(member) : member]))
}

test('no edit of a text changes what a block scalar at its end says', () => {
  fc.assert(
    fc.property(document, edits, (text, series) => {
      const object = KrmObject.fromDocument(text)
      expect(object.get([])).toEqual(judged(text))
      for (const each of series) edit(object, each)
      expect(judged(object.toText())).toEqual(object.get([]))
    }),
    { numRuns: randomRuns(300) },
  )
})

test('nor does one of a list that ends in it, with results or another item behind', () => {
  fc.assert(
    fc.property(document, edits, fc.boolean(), (text, series, isJoined) => {
      const head = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n'
      let expected: JsonValue | undefined
      const { stdout } = evaluate(
        (list) => {
          const [item] = list.items
          if (item === undefined) throw new Error('expected an item')
          for (const each of series) edit(item, each)
          expected = item.get([])
          if (isJoined) list.upsert({ apiVersion: 'v1', kind: 'B', metadata: { name: 'b' } }, 'b.yaml')
          else list.results.push({ severity: 'info', message: 'said', tags: { rule: 'fan-out' } })
        },
        `${head}${itemOf(text.split('\n')).join('\n')}`,
      )
      const read: unknown = load(stdout)
      expect(read).toMatchObject({ items: [expected, ...(isJoined ? [{ kind: 'B' }] : [])] })
    }),
    { numRuns: randomRuns(300) },
  )
})

test.each([
  ['a new entry', 'metadata:\n  name: a\n  labels: {}\ndata: |\n  x', ['metadata', 'labels'], {}],
  ['another value', 'metadata:\n  name: b\ndata: |\n  x', ['metadata', 'name'], 'b'],
])('%s above the last root entry leaves the block scalar there as it is', (_, expected, path, value) => {
  const object = KrmObject.fromDocument('metadata:\n  name: a\ndata: |\n  x')
  object.set(path, value)
  expect(object.toText()).toBe(expected)
})
