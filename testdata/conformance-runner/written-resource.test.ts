import { expect, test } from 'vitest'
import { documentTexts, readResource, resourcesIn } from './written-resource.ts'

function read(text: string): unknown {
  return readResource(text, { path: 'a.yaml', index: 0 })?.value
}

test.each([
  { reason: 'an alias has the value of its anchor', text: 'a: &x {b: 1}\nc: *x\n', value: { a: { b: 1 }, c: { b: 1 } } },
  {
    reason: 'a merge key brings the keys that are missing',
    text: 'a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n',
    value: { a: { b: 1, c: 2 }, d: { b: 1, c: 3 } },
  },
  { reason: 'binary is decoded', text: 'a: !!binary aGVs\n  bG8=\nb: !!binary "w6k="\n', value: { a: 'hello', b: 'é' } },
  { reason: 'U+0085 ends a line', text: 'a: b\u0085c: d\ne: |\n  f\u0085  g\n', value: { a: 'b', c: 'd', e: 'f\ng\n' } },
  {
    reason: 'plain scalars are those of yaml.v3',
    text: 'a: 0644\nb: yes\nc: 1_000\nd: 0x1F\ne: 1.50\nf: ~\ng: TRUE\nh: "1"\ni: 9007199254740993\nj: -.inf\nk: 1e3\n',
    value: {
      a: 420,
      b: 'yes',
      c: 1000,
      d: 31,
      e: 1.5,
      f: null,
      g: true,
      h: '1',
      i: 9007199254740993n,
      j: Number.NEGATIVE_INFINITY,
      k: 1000,
    },
  },
  { reason: 'a tag decides', text: 'a: !!str 1\nb: !!int "7"\nc: ! 5\n', value: { a: '1', b: 7, c: 5 } },
])('$reason', ({ text, value }) => {
  expect(read(text)).toEqual(value)
})

test.each(['- a\n', 'a: {{ b }}\n', 'a: [\n', '# nothing\n', ''])('no resource: %j', (text) => {
  expect(resourcesIn('a.yaml', text)).toBeUndefined()
})

test('documents end at --- lines; those without a value are none', () => {
  expect(documentTexts('# head\n---\na: 1\n--- # second\n# only a comment\n---\nb: "---"\n...\nleft out\n')).toEqual([
    'a: 1\n',
    'b: "---"\n',
  ])
})
