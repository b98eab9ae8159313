import { expect, test } from 'vitest'
import { linkAliases, targetOf, unknownAlias } from './alias-targets.ts'
import { type Node, walk } from './node.ts'
import { readYaml } from './yaml-reader.ts'

/** Returns what each alias of a text stands for, in the order of the text: the text of a scalar, else the type of its value. */
function targets(text: string): readonly (string | undefined)[] {
  const root = readYaml(text)
  linkAliases(root)
  return [...walk(root)].flatMap(({ node }) => (node.type === 'alias' ? [shown(targetOf(node))] : []))
}

function shown(node: Node | undefined): string | undefined {
  return node?.type === 'scalar' ? node.text : node?.type
}

test.each([
  ['the value above it', 'a: &x 1\nb: *x\n', ['1']],
  ['the last value of the anchor above it', 'a: &x 1\nb: &x 2\nc: *x\nd: &x 3\ne: *x\n', ['2', '3']],
  ['a map, and what is in the map', 'a: &x {b: &y 1}\nc: [*x, *y]\n', ['map', '1']],
  ['a list', 'a: &x [1]\nb: *x\n', ['sequence']],
  ['a key', '? &k key\n: 1\nb: *k\n', ['key']],
  ['nothing without an anchor', 'a: *x\n', [undefined]],
  ['nothing if the anchor is below', 'a: *x\nb: &x 1\n', [undefined]],
  ['nothing inside of its own value', 'a: &x {b: *x}\nc: *x\n', [undefined, 'map']],
])('an alias stands for %s', (_, text, expected) => {
  expect(targets(text)).toEqual(expected)
})

test('no alias has a value in a text that would be too large with all of them', () => {
  const levels = (count: number) =>
    [
      'a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]',
      ...Array.from({ length: count }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`)}]`),
    ].join('\n')
  expect(targets(levels(3)).every((target) => target === 'sequence')).toBe(true)
  expect(targets(levels(5)).every((target) => target === undefined)).toBe(true)
})

test('the first alias without an anchor above it is found, in values and keys', () => {
  const unknown = (text: string) => unknownAlias(readYaml(text))?.anchor
  expect(unknown('a: &x 1\nb: *x\nc: [*y]\nd: *z\n')).toBe('y')
  expect(unknown('a: &x {b: *x}\n')).toBeUndefined()
  expect(unknown('a: &x 1\nb: *x\n')).toBeUndefined()
})
