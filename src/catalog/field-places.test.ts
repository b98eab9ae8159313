import { expect, test } from 'vitest'
import { formatFieldPath } from '../field-path.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { existingPlaces, fieldPlaces, isOfSpecKind, kustomizePlaces, writePairs } from './field-places.ts'

const OBJECT = KrmObject.fromDocument(`apiVersion: apps/v1
kind: Till
a:
  b: 1
  none: ~
  empty: {}
  list:
  - c: 2
  - d: 3
  x/y: 4
  nested:
  - - c: 5
  gaps:
  - ~
  - c: ~
`)

/** Returns the places that a path leads to, as texts; the message for an error. */
function places(find: () => readonly (readonly (string | number)[])[]): readonly string[] | string {
  try {
    return find().map(formatFieldPath)
  } catch (error) {
    return String(error instanceof Error ? error.message : error)
  }
}

const NO_MAP = expect.stringContaining('must be a map, got')
const NO_MAP_OR_LIST = expect.stringContaining('must be a map or a list, got')

test.each([
  // [path, without create, with create]
  ['a/b', ['a.b'], ['a.b']],
  ['a/new', [], ['a.new']],
  ['a/none', ['a.none'], ['a.none']],
  ['a/new/deep', [], ['a.new.deep']],
  ['new/deep', [], ['new.deep']],
  ['new', [], ['new']],
  ['a/empty/new', [], ['a.empty.new']],
  ['a/b/c', NO_MAP, NO_MAP],
  ['a/none/c', NO_MAP, NO_MAP],
  ['a/list/c', NO_MAP, NO_MAP],
  ['a/list[]/c', ['a.list[0].c'], ['a.list[0].c', 'a.list[1].c']],
  ['a/list[]', ['a.list[0]', 'a.list[1]'], ['a.list[0]', 'a.list[1]']],
  ['a/new[]/c', [], []],
  ['a/new/list[]/c', [], []],
  ['a/empty[]/c', expect.stringContaining('must be a list, got'), expect.stringContaining('must be a list, got')],
  ['a/x\\/y', ['a["x/y"]'], ['a["x/y"]']],
])('the path %s leads to %j, and to %j where fields are made', (path, existing, made) => {
  expect(places(() => fieldPlaces(OBJECT, { path, create: false }))).toEqual(existing)
  expect(places(() => fieldPlaces(OBJECT, { path, create: true }))).toEqual(made)
})

test.each([
  ['a/b', ['a.b']],
  ['a/none', ['a.none']],
  ['a/none/c', []],
  ['a/new', []],
  ['new', []],
  ['a/b/c', NO_MAP_OR_LIST],
  ['a/list/c', ['a.list[0].c']],
  ['a/list[]/c', ['a.list[0].c']],
  ['a/list', ['a.list']],
  ['a/nested/c', ['a.nested[0][0].c']],
  ['a/x\\/y', ['a["x/y"]']],
])('the existing places of %s are %j', (path, expected) => {
  expect(places(() => existingPlaces(OBJECT, path))).toEqual(expected)
})

test.each([
  ['a/b', ['a.b'], ['a.b']],
  ['a/none', [], ['a.none']],
  ['a/none/c', [], ['a.none.c']],
  ['a/new/deep', [], ['a.new.deep']],
  ['a/b/c', NO_MAP_OR_LIST, NO_MAP_OR_LIST],
  ['a/list/c', ['a.list[0].c'], ['a.list[0].c', 'a.list[1].c']],
  ['a/list[]/c', ['a.list[0].c'], ['a.list[0].c', 'a.list[1].c']],
  ['a/new[]/c', [], []],
  ['a/new/c[]/d', [], []],
  ['a/list/c/d', NO_MAP_OR_LIST, NO_MAP_OR_LIST],
  ['a/list/e/f', [], ['a.list[0].e.f', 'a.list[1].e.f']],
  ['a/nested/c', ['a.nested[0][0].c'], ['a.nested[0][0].c']],
  ['a/x\\/y', ['a["x/y"]'], ['a["x/y"]']],
  ['a/new/x\\/y', [], ['a.new["x/y"]']],
  ['a/gaps/c', [], ['a.gaps[1].c']],
])('kustomize finds %s at %j, and at %j where fields are made', (path, existing, made) => {
  expect(places(() => kustomizePlaces(OBJECT, { path, create: false }))).toEqual(existing)
  expect(places(() => kustomizePlaces(OBJECT, { path, create: true }))).toEqual(made)
})

test.each([
  [{}, true],
  [{ group: '', version: '', kind: '' }, true],
  [{ group: 'apps' }, true],
  [{ group: 'batch' }, false],
  [{ version: 'v1' }, true],
  [{ version: 'v2' }, false],
  [{ version: 'apps/v1' }, false],
  [{ kind: 'Till' }, true],
  [{ kind: 'Shop' }, false],
  [{ group: 'apps', version: 'v1', kind: 'Shop' }, false],
  [{ group: 'batch', version: 'v1', kind: 'Till' }, false],
])('the fields of %j are those of a Till of apps/v1: %s', (spec, isMeant) => {
  expect(isOfSpecKind(OBJECT, spec)).toBe(isMeant)
})

test('an object of the core group has a version and no group', () => {
  const object = KrmObject.fromDocument('apiVersion: v1\nkind: Pod\n')
  expect([{ version: 'v1' }, { group: 'v1' }, { group: 'apps' }].map((spec) => isOfSpecKind(object, spec))).toEqual([true, false, false])
})

test.each([
  ['no map', 'kind: A\n', 'kind: A\nlabels:\n  a: x\n  b: "1"\n'],
  ['null', 'kind: A\nlabels:\n', 'kind: A\nlabels:\n  a: x\n  b: "1"\n'],
  ['other pairs', 'kind: A\nlabels:\n  c: z # why\n', 'kind: A\nlabels:\n  c: z # why\n  a: x\n  b: "1"\n'],
  ['the pairs, in its own spelling', "kind: A\nlabels:\n  b: '1'\n  a: 'x'\n", "kind: A\nlabels:\n  b: '1'\n  a: 'x'\n"],
  ['a number in the place of a text', 'kind: A\nlabels:\n  a: x\n  b: 1\n', 'kind: A\nlabels:\n  a: x\n  b: "1"\n'],
])('pairs are written into an object with %s', (_what, before, after) => {
  const object = KrmObject.fromDocument(before)
  writePairs(
    object,
    ['labels'],
    new Map([
      ['a', 'x'],
      ['b', '1'],
    ]),
  )
  expect(object.toText()).toBe(after)
})

test('pairs are not written in the place of a list or a text', () => {
  for (const value of ['[a]', 'x', '0', 'false'])
    expect(() => writePairs(KrmObject.fromDocument(`kind: A\nlabels: ${value}\n`), ['labels'], new Map([['a', 'x']]))).toThrow(
      / `labels` must be a map, got .*\[wrong-type\]$/,
    )
})
