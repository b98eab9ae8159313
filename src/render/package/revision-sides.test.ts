import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { asWritten } from './revision-sides.ts'

function inBraces(...names: readonly string[]): readonly KrmObject[] {
  return names.map((name) => KrmObject.fromDocument(`{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}\n`))
}

function written(content: readonly string[], others: readonly string[]): readonly (string | undefined)[] {
  return asWritten(inBraces(...content), inBraces(...others), []).map(({ name }) => name)
}

test('an object in braces that functions renamed is the one at its place', () => {
  expect(written(['a', 'b'], ['a2', 'b'])).toEqual(['a2', 'b'])
})

test('an object at the place of another one is not taken for it if it has a name of its own', () => {
  expect(written(['a', 'b'], ['b', 'a2'])).toEqual(['a', 'b'])
})

/** Returns an object with the mark of its upstream name. */
function marked(name: string, upstreamName: string): KrmObject {
  return KrmObject.fromDocument(`apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: default/${upstreamName}\n  name: ${name}\n`)
}

const namesOf = (objects: readonly KrmObject[]) => objects.map(({ name }) => name)

test('an object is found by the mark of its upstream name, wherever it is and whatever it is called', () => {
  expect(namesOf(asWritten([marked('a', 'a'), marked('b', 'b')], [marked('eu-b', 'b'), marked('eu-a', 'a')], []))).toEqual(['eu-a', 'eu-b'])
})

test('namesakes are paired in their order, and one without a partner stays as it is', () => {
  const [first, second] = [inBraces('a'), inBraces('a')].flat()
  if (first === undefined || second === undefined) throw new Error('two objects')
  expect(asWritten(inBraces('a', 'a'), [first, second], [])).toEqual([first, second])
  const [one, other] = inBraces('a', 'a')
  const paired = asWritten(
    inBraces('a', 'a')
      .slice(0, 1)
      .concat(other ?? []),
    one === undefined ? [] : [one],
    [],
  )
  expect(paired).toEqual([one, other])
})

test.each<[string, readonly KrmObject[], readonly KrmObject[], readonly KrmObject[]]>([
  ['upstream keeps it', inBraces('a'), inBraces('a2'), inBraces('a')],
  ['the file has another number of objects', inBraces('a'), inBraces('a2', 'b2'), []],
  [
    'the object there is of another kind',
    inBraces('a'),
    [KrmObject.fromDocument('{apiVersion: v1, kind: Secret, metadata: {name: a2}}\n')],
    [],
  ],
  ['the object there has a mark', inBraces('a'), [marked('a2', 'other')], []],
  ['it has a mark itself', [marked('a', 'a')], inBraces('a2'), []],
])('an object is not taken for the one at its place if %s', (_, content, others, theirs) => {
  expect(asWritten(content, others, theirs)).toEqual(content)
})
