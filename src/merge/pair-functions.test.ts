import { expect, test } from 'vitest'
import type { JsonRecord, JsonValue } from '../json.ts'
import { pairFunctions } from './pair-functions.ts'

const image = (text: string, rest: JsonRecord = {}): JsonRecord => ({ image: text, ...rest })
const named = (name: string, text: string, rest: JsonRecord = {}): JsonRecord => ({ name, image: text, ...rest })

/** Returns the pairs as `OURS BASE THEIRS`, with `-` for a side without the function. */
function pairs(base: readonly JsonValue[], theirs: readonly JsonValue[], ours: readonly JsonValue[]): readonly string[] {
  return pairFunctions({ base, theirs, ours }).map((pair) => [pair.ours, pair.base, pair.theirs].map((at) => at ?? '-').join(' '))
}

test.each<{
  rule: string
  base?: readonly JsonValue[]
  theirs?: readonly JsonValue[]
  ours?: readonly JsonValue[]
  pairs: readonly string[]
}>([
  { rule: 'no function is no pair', pairs: [] },
  {
    rule: 'functions of one name are paired, whatever their images and places are',
    base: [named('a', 'x'), named('b', 'y')],
    theirs: [named('b', 'z'), named('a', 'z')],
    ours: [named('b', 'y'), named('a', 'w')],
    pairs: ['0 1 0', '1 0 1'],
  },
  {
    rule: 'functions of one image are paired, whatever its tag or digest is',
    base: [image('r:5000/a:v1'), image('r:5000/b@sha256:1')],
    theirs: [image('r:5000/b:v2'), image('r:5000/a')],
    ours: [image('r:5000/a:v3@sha256:2'), image('r:5000/b')],
    pairs: ['0 0 1', '1 1 0'],
  },
  {
    rule: 'the port of a registry is no tag',
    base: [image('r:5000/a')],
    theirs: [image('r:6000/a')],
    ours: [image('r:5000/a'), image('r')],
    pairs: ['0 0 0', '1 - -'],
  },
  {
    rule: 'a program counts before an image',
    base: [{ exec: './a', image: 'x' }],
    theirs: [{ exec: './a', image: 'y' }],
    ours: [{ exec: './b', image: 'x' }],
    pairs: ['0 - -', '- 0 0'],
  },
  {
    rule: 'the functions of the downstream come first, then those that it removed, then new ones of upstream',
    base: [image('a'), image('b'), image('c')],
    theirs: [image('d'), image('c'), image('a')],
    ours: [image('e'), image('c')],
    pairs: ['0 - -', '1 2 1', '- 0 2', '- 1 -', '- - 0'],
  },
  {
    rule: 'a function that both sides added is one',
    base: [],
    theirs: [image('a:v2'), named('n', 'b')],
    ours: [named('n', 'c'), image('a:v1')],
    pairs: ['0 - 1', '1 - 0'],
  },
  {
    rule: 'a function that the downstream added is not that which upstream has from base',
    base: [named('a', 'x')],
    theirs: [named('a', 'x')],
    ours: [image('y')],
    pairs: ['0 - -', '- 0 0'],
  },
  {
    rule: 'of several functions with one image, equal content decides',
    base: [image('a', { configMap: { x: '1' } }), image('a', { configMap: { x: '2' } })],
    theirs: [image('a', { configMap: { x: '2' } }), image('a', { configMap: { x: '1' } })],
    ours: [image('a', { configMap: { x: '2' } }), image('a', { configMap: { x: '1' } })],
    pairs: ['0 1 0', '1 0 1'],
  },
  {
    rule: 'content is equal in whatever order its keys are, and but for the version',
    base: [image('a:v1', { configMap: { x: '1', y: '2' } }), image('a:v1', { configMap: { x: '3', y: '2' } })],
    theirs: [
      { configMap: { y: '2', x: '3' }, image: 'a:v2' },
      { configMap: { y: '2', x: '1' }, image: 'a:v2' },
    ],
    ours: [image('a:v1', { configMap: { x: '1', y: '2' } }), image('a:v1', { configMap: { x: '3', y: '2' } })],
    pairs: ['0 0 1', '1 1 0'],
  },
  {
    rule: 'functions with other values are paired by the names of their settings, or by their files',
    base: [image('a', { configMap: { x: '1' } }), image('a', { configMap: { y: '1' } }), image('a', { configPath: 'c' })],
    theirs: [image('a', { configPath: 'c', tag: '1' }), image('a', { configMap: { y: '2' } }), image('a', { configMap: { x: '2' } })],
    ours: [image('a', { configMap: { x: '1' } }), image('a', { configMap: { y: '1' } }), image('a', { configPath: 'c' })],
    pairs: ['0 0 2', '1 1 1', '2 2 0'],
  },
  {
    rule: 'of equal functions of which one changed, the position decides',
    base: [image('a'), image('a')],
    theirs: [image('a', { tag: '1' }), image('a')],
    ours: [image('a'), image('a')],
    pairs: ['0 0 0', '1 1 1'],
  },
  {
    rule: 'of more functions than the other side has, the first ones are paired',
    base: [image('a'), image('a')],
    theirs: [image('a')],
    ours: [image('a'), image('a'), image('a')],
    pairs: ['0 0 0', '1 1 -', '2 - -'],
  },
  {
    rule: 'a function that upstream added is new, also if the downstream gave another one its content',
    base: [image('a', { configMap: { x: '1' } })],
    theirs: [image('a', { configMap: { x: '1' } }), image('a', { configMap: { x: '2' } })],
    ours: [image('a', { configMap: { x: '2' } })],
    pairs: ['0 0 0', '- - 1'],
  },
  {
    rule: 'a function that gets a name is paired by its image on both sides',
    base: [image('a'), named('n', 'b')],
    theirs: [named('m', 'a:v2'), image('b:v2')],
    ours: [named('o', 'a'), image('b')],
    pairs: ['0 0 0', '1 1 1'],
  },
  {
    rule: 'a function that a variant added is never the new name of another',
    base: [image('a')],
    theirs: [image('a')],
    ours: [named('PackageVariant.v.a.0', 'a')],
    pairs: ['0 - -', '- 0 0'],
  },
  {
    rule: 'functions with two names are two functions, also of one image',
    base: [named('a', 'x')],
    theirs: [named('b', 'x')],
    ours: [named('a', 'x')],
    pairs: ['0 0 -', '- - 0'],
  },
  {
    rule: 'an image that moved to another registry is the same function upstream, but not downstream',
    base: [image('gcr.io/old/a:v1'), image('gcr.io/old/b:v1')],
    theirs: [image('ghcr.io/new/b:v2'), image('ghcr.io/new/a:v2')],
    ours: [image('gcr.io/old/a:v1'), image('mirror/b')],
    pairs: ['0 0 1', '1 - -', '- 1 0'],
  },
  {
    rule: 'entries that are no functions are paired by their content, and an empty name is none',
    base: ['a', null, 7, ['b'], { name: '', image: 'x' }],
    theirs: [['b'], 7, null, 'a', { name: 7, image: 'x' }],
    ours: ['a', null, 7, ['b'], { image: 'x' }],
    pairs: ['0 0 3', '1 1 2', '2 2 1', '3 3 0', '4 4 4'],
  },
])('$rule', ({ base = [], theirs = [], ours = [], pairs: expected }) => {
  expect(pairs(base, theirs, ours)).toEqual(expected)
})

test('a side without a list has no functions', () => {
  const list = [image('a')]
  expect(pairFunctions({ base: undefined, theirs: undefined, ours: list })).toEqual([{ ours: 0, base: undefined, theirs: undefined }])
  expect(pairFunctions({ base: list, theirs: undefined, ours: undefined })).toEqual([{ ours: undefined, base: 0, theirs: undefined }])
  expect(pairFunctions({ base: undefined, theirs: list, ours: undefined })).toEqual([{ ours: undefined, base: undefined, theirs: 0 }])
})
