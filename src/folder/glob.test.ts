import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileGlob } from './glob.ts'

test.each([
  { reason: 'without *, ? and [ the pattern is the name', pattern: 'a.yaml', yes: ['a.yaml'], no: ['aXyaml', 'a.yam'] },
  { reason: 'a backslash is itself where nothing is special', pattern: 'a\\b', yes: ['a\\b'], no: ['ab'] },
  { reason: '* is any run, also none', pattern: '*.yaml', yes: ['a.yaml', '.yaml', 'a.b.yaml'], no: ['a.yml', 'a.yaml.txt'] },
  { reason: '** is *', pattern: '**', yes: ['', 'a'], no: [] },
  { reason: '? is one character, also beyond the basic plane', pattern: '?.yaml', yes: ['a.yaml', '😀.yaml'], no: ['.yaml', 'ab.yaml'] },
  { reason: 'a set has characters and ranges', pattern: '[a-cx].yaml', yes: ['b.yaml', 'x.yaml'], no: ['d.yaml'] },
  { reason: '^ negates a set', pattern: '[^a].yaml', yes: ['b.yaml'], no: ['a.yaml'] },
  { reason: '! does not negate in Go', pattern: '[!a].yaml', yes: ['!.yaml', 'a.yaml'], no: ['b.yaml'] },
  { reason: 'a backslash makes the next character literal', pattern: 'x\\[1\\].*', yes: ['x[1].yaml'], no: ['x1.yaml'] },
  { reason: 'a backslash in a set makes the next character literal', pattern: '[\\]a\\-c]', yes: [']', 'a', '-', 'c'], no: ['\\', 'b'] },
  { reason: 'a set with a bare - at its end or beginning matches nothing', pattern: '[a-]', yes: [], no: ['a', '-'] },
  { reason: 'an unclosed set matches nothing', pattern: '[a', yes: [], no: ['[a', 'a'] },
  { reason: 'an empty set matches nothing', pattern: '[]a]', yes: [], no: [']', 'a'] },
])('$reason', ({ pattern, yes, no }) => {
  const matches = compileGlob(pattern)
  expect(yes.filter(matches)).toEqual(yes)
  expect(no.filter(matches)).toEqual([])
})

test('stars match what a regular expression would', () => {
  const step = fc.constantFrom('a', 'b', '*', '?')
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), fc.array(fc.constantFrom('a', 'b'), { maxLength: 10 }), (pattern, name) => {
      const expression = new RegExp(`^${pattern.join('').replaceAll('*', '.*').replaceAll('?', '.')}$`)
      expect(compileGlob(pattern.join(''))(name.join(''))).toBe(expression.test(name.join('')))
    }),
  )
})

test('many stars on a long name take no noticeable time', () => {
  expect(compileGlob(`${'*a'.repeat(50)}b`)('a'.repeat(5_000))).toBe(false)
})
