import { expect, test } from 'vitest'
import { failureOf } from './program-failure.ts'

test.each([
  ['the word Error', 'Error: no chart\n', 'no chart'],
  ['empty lines', 'one\n\n  \ntwo\n', 'one two'],
  ['advice about debug output', 'no chart\nUse --debug flag to render out invalid YAML\n', 'no chart'],
  ['the words of libraries', 'walk.go:74: found symbolic link\ncoalesce.go:286: warning: skipped value\nno chart\n', 'no chart'],
  ['warnings', 'WARNING: kubeconfig is readable\n# Warning: commonLabels is deprecated\nno chart\n', 'no chart'],
])('what a program says is without %s', (_, stderr, shown) => {
  expect(failureOf(stderr, [])).toBe(shown)
})

test('a program that says nothing but advice has said nothing', () => {
  expect(failureOf('\nUse --debug flag\n', [])).toBe('it says nothing')
})

test('a long reason ends after 600 characters', () => {
  expect(failureOf('x'.repeat(700), [])).toBe('x'.repeat(600))
})

test.each([
  ['a value below the key of a password', 'db: {password: tiger-1}', 'bad value tiger-1', false],
  ['a value of a Secret', 'kind: Secret\nmetadata: {name: a}\nstringData: {user: tiger-1}', 'bad value tiger-1', false],
  ['a value behind an equals sign', 'secretGenerator: [{literals: [user=tiger-1]}]', 'bad value tiger-1', false],
  ['a value of a second document', 'a: 1\n---\ntoken: tiger-1', 'bad value tiger-1', false],
  ['a value in a text that is no YAML', 'kind: {{ x\npassword: "tiger-1"', 'bad value tiger-1', false],
  ['a value of a ConfigMap', 'kind: ConfigMap\nmetadata: {name: a}\ndata: {user: tiger-1}', 'bad value tiger-1', true],
  ['the name of a secret', 'secretRef: {name: tiger-1}', 'bad value tiger-1', true],
  ['a short value', 'password: tig', 'bad value tig', true],
  ['a value of another line of a text that is no YAML', 'kind: {{ x\nuser: "tiger-1"', 'bad value tiger-1', true],
])('%s is hidden or not', (_, file, stderr, isShown) => {
  expect(failureOf(stderr, [file]).includes(stderr.replace('bad value ', ''))).toBe(isShown)
})

test('of two secrets of which one begins with the other, the whole longer one is hidden', () => {
  expect(failureOf('bad value tiger-1-long', ['password: tiger-1', 'password: tiger-1-long'])).not.toMatch(/tiger|long/)
})
