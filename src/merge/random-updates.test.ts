import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Texts } from '../../testdata/package-of-texts.ts'
import { randomRuns } from '../../testdata/random-runs.ts'
import { kptfileText } from '../../testdata/written-objects.ts'
import { mergeTexts } from './testing/merge-of-texts.ts'

/** A line of comment above a field, a comment behind it, and its value; undefined for a missing field. */
interface Field {
  readonly above: string
  readonly behind: string
  readonly value: number
}

/** A resource: its fields, and comments above and below it. */
interface Resource {
  readonly head: string
  readonly foot: string
  readonly fields: readonly (Field | undefined)[]
}

/** The files of a package, each with its resources by name. */
type Files = Readonly<Record<string, Readonly<Record<string, Resource>>>>

/** Returns a comment of a side, or none. A number is put behind it for each place, so that no comment is there twice. */
const comment = (side: string) => fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constant(`# ${side}`))

function files(side: string): fc.Arbitrary<Files> {
  const field = fc.record({ above: comment(side), behind: comment(side), value: fc.nat(2) })
  const resource = fc.record({
    head: comment(side),
    foot: comment(side),
    fields: fc.tuple(...KEYS.map(() => fc.option(field, { nil: undefined }))),
  })
  return fc.dictionary(
    fc.constantFrom('a.yaml', 'b.yaml', 'sub/c.yaml', 'sub/d.yaml'),
    fc.dictionary(fc.constantFrom('x', 'y'), resource, { minKeys: 1 }),
  )
}

const KEYS = ['k', 'l', 'm']

/** Returns the texts of a package; with a subpackage if `hasSub` is true. */
function textsOf(package_: Files, hasSub: boolean): Texts {
  const texts = Object.entries(package_).flatMap(([path, resources]): readonly (readonly [string, string])[] => {
    const documents = Object.entries(resources).map(([name, resource]) => textOf(`${path} ${name}`, name, resource))
    return documents.length === 0 ? [] : [[path, documents.join('---\n')]]
  })
  return { Kptfile: kptfileText('p'), ...(hasSub && { 'sub/Kptfile': kptfileText('sub') }), ...Object.fromEntries(texts) }
}

function textOf(place: string, name: string, { head, foot, fields }: Resource): string {
  const line = (text: string, at: string, indent = '') => (text === '' ? '' : `${indent}${text} ${place} ${at}\n`)
  const entries = fields.flatMap((field, at) => {
    if (field === undefined) return []
    const behind = field.behind === '' ? '' : ` ${field.behind} ${place} behind ${at}`
    return [`${line(field.above, `above ${at}`, '  ')}  ${KEYS[at]}: "${field.value}"${behind}\n`]
  })
  const data = entries.length === 0 ? 'data: {}\n' : `data:\n${entries.join('')}`
  return `${line(head, 'head')}apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${data}${line(foot, 'foot')}`
}

/** Returns a package in which some files, resources, comments and fields are those of another one. */
function mixed(base: Files, other: Files, chosen: readonly boolean[]): Files {
  let at = 0
  const pick = <T>(a: T, b: T): T => (chosen[at++ % chosen.length] === true ? b : a)
  return mixedRecords(base, other, pick, (own, theirs) =>
    mixedRecords(own, theirs, pick, (a, b) => ({
      head: pick(a.head, b.head),
      foot: pick(a.foot, b.foot),
      fields: a.fields.map((field, key) => pick(field, b.fields[key])),
    })),
  )
}

/** Returns the entries of two records: those of both as `mix` makes them, each other one as `pick` chooses. */
function mixedRecords<T>(
  own: Readonly<Record<string, T>>,
  other: Readonly<Record<string, T>>,
  pick: (a: T | undefined, b: T | undefined) => T | undefined,
  mix: (a: T, b: T) => T,
): Readonly<Record<string, T>> {
  const keys = [...new Set([...Object.keys(own), ...Object.keys(other)])]
  const entries = keys.map((key) => {
    const [a, b] = [own[key], other[key]]
    return [key, a === undefined || b === undefined ? pick(a, b) : mix(a, b)] as const
  })
  return Object.fromEntries(entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])))
}

const CHOICE = fc.array(fc.boolean(), { minLength: 5, maxLength: 20 })

test('an update of an unedited package gives what upstream has, byte for byte', () => {
  fc.assert(
    fc.property(files('base'), files('up'), CHOICE, fc.boolean(), fc.boolean(), (base, other, chosen, before, after) => {
      const [from, to] = [textsOf(base, before), textsOf(mixed(base, other, chosen), after)]
      expect(mergeTexts({ base: from, theirs: to, ours: from })).toMatchObject({ files: to, messages: [] })
    }),
    { numRuns: randomRuns(50) },
  )
})

test('each comment of people or of upstream that an update drops is in a warning', () => {
  fc.assert(
    fc.property(files('base'), files('up'), files('mine'), CHOICE, CHOICE, (base, up, mine, inTheirs, inOurs) => {
      const sides = {
        base: textsOf(base, true),
        theirs: textsOf(mixed(base, up, inTheirs), true),
        ours: textsOf(mixed(base, mine, inOurs), true),
      }
      const { files: merged, messages } = mergeTexts(sides)
      const left = `${Object.values(merged).join('\n')}\n${messages.join('\n')}`
      const written = [sides.theirs, sides.ours].flatMap(
        (texts) =>
          Object.values(texts)
            .join('\n')
            .match(/# (?:up|mine).*/g) ?? [],
      )
      const isWholeTold = (text: string) => messages.some((message) => message.includes(`ConfigMap ${text.split(' ')[3]}\``))
      expect(written.filter((text) => !left.includes(text) && !isWholeTold(text))).toEqual([])
    }),
    { numRuns: randomRuns(50) },
  )
})
