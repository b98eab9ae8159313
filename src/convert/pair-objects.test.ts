import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { pairObjects } from './pair-objects.ts'

/** Returns an object that is written `Kind name` or `Kind namespace/name`. */
function objectOf(written: string): KrmObject {
  const [kind = '', full = ''] = written.split(' ')
  const [name, namespace] = full.split('/').toReversed()
  const apiVersion = kind === 'Deployment' ? 'apps/v1' : 'v1'
  return KrmObject.fromDocument(JSON.stringify({ apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } }))
}

const shown = ({ kind, namespace, name }: KrmObject) => `${kind} ${namespace ? `${namespace}/` : ''}${name}`

function pairs(bases: readonly string[], overlays: readonly string[]): Readonly<Record<string, string>> {
  const found = pairObjects(bases.map(objectOf), overlays.map(objectOf))
  return Object.fromEntries([...found].map(([base, overlay]) => [shown(base), shown(overlay)]))
}

test.each([
  ['an equal name', ['Service web'], ['Service web'], { 'Service web': 'Service web' }],
  [
    'an equal name and namespace before an equal name',
    ['Service a/web'],
    ['Service b/web', 'Service a/web'],
    { 'Service a/web': 'Service a/web' },
  ],
  ['a namespace that only the overlay gives', ['Service web'], ['Service shop/web'], { 'Service web': 'Service shop/web' }],
  ['a prefix', ['Service web'], ['Service prod-web'], { 'Service web': 'Service prod-web' }],
  ['a prefix without a dash', ['Service web'], ['Service prodweb'], { 'Service web': 'Service prodweb' }],
  ['a suffix', ['Service web'], ['Service web-v2'], { 'Service web': 'Service web-v2' }],
  ['both', ['Service web'], ['Service prod-web-v2'], { 'Service web': 'Service prod-web-v2' }],
  [
    'the hash of a generated ConfigMap',
    ['ConfigMap web-5f7b6c9d2k'],
    ['ConfigMap prod-web-c9d2f7b6k5'],
    { 'ConfigMap web-5f7b6c9d2k': 'ConfigMap prod-web-c9d2f7b6k5' },
  ],
  [
    'the hash of a generated Secret',
    ['Secret web-5f7b6c9d2k'],
    ['Secret web-c9d2f7b6k5'],
    { 'Secret web-5f7b6c9d2k': 'Secret web-c9d2f7b6k5' },
  ],
  ['a Namespace of any name', ['Namespace shop'], ['Namespace prod'], { 'Namespace shop': 'Namespace prod' }],
])('an object has its pair by %s', (_by, bases, overlays, expected) => {
  expect(pairs(bases, overlays)).toEqual(expected)
})

test.each([
  ['another kind', 'Service web', 'ConfigMap web'],
  ['a name in the middle of a word', 'Service web', 'Service xwebx'],
  ['another name', 'Service web', 'Service api'],
  ['a Deployment with another hash', 'Deployment web-5f7b6c9d2k', 'Deployment web-c9d2f7b6k5'],
])('%s is no pair', (_case, base, overlay) => {
  expect(pairs([base], [overlay])).toEqual({})
})

test('no object is the pair of two, and the longest names choose first', () => {
  expect(pairs(['Service web', 'Service web-api'], ['Service prod-web-api', 'Service prod-web'])).toEqual({
    'Service web-api': 'Service prod-web-api',
    'Service web': 'Service prod-web',
  })
  expect(pairs(['Service web', 'Service api'], ['Service web-api'])).toEqual({ 'Service web': 'Service web-api' })
})

test('of several names the shortest is the pair', () => {
  expect(pairs(['Service web'], ['Service prod-web-api', 'Service prod-web'])).toEqual({ 'Service web': 'Service prod-web' })
})

test.each([
  ['the same name in another group', ['apps/v1 Role a'], ['rbac.io/v1 Role a'], {}],
  ['the same name in another version', ['apps/v1 Role a'], ['apps/v1beta1 Role a'], { 'Role a': 'Role a' }],
])('the group of an API is part of the kind: %s', (_what, bases, overlays, expected) => {
  const written = (text: string) => {
    const [apiVersion, kind, name] = text.split(' ')
    return KrmObject.fromDocument(JSON.stringify({ apiVersion, kind, metadata: { name } }))
  }
  const found = pairObjects(bases.map(written), overlays.map(written))
  expect(Object.fromEntries([...found].map(([base, overlay]) => [shown(base), shown(overlay)]))).toEqual(expected)
})

test.each([
  ['an equal name before a longer one', ['Service web'], ['Service web-v2', 'Service web'], { 'Service web': 'Service web' }],
  [
    'an equal name of any namespace before a longer one',
    ['Service web'],
    ['Service web-v2', 'Service shop/web'],
    { 'Service web': 'Service shop/web' },
  ],
  [
    'an equal Namespace before another one',
    ['Namespace shop'],
    ['Namespace prod', 'Namespace shop'],
    { 'Namespace shop': 'Namespace shop' },
  ],
  [
    'an equal namespace, of which an empty one is one',
    ['Service web', 'Service a/web'],
    ['Service a/web', 'Service web'],
    { 'Service web': 'Service web', 'Service a/web': 'Service a/web' },
  ],
  ['no name at all', ['Service '], ['Service web'], {}],
])('a rule comes before the next: %s', (_what, bases, overlays, expected) => {
  expect(pairs(bases, overlays)).toEqual(expected)
})

test('the longest name chooses first, wherever it is, and a hash is one at the end of a generated name alone', () => {
  expect(pairs(['Service api', 'Service web-api'], ['Service prod-web-api'])).toEqual({ 'Service web-api': 'Service prod-web-api' })
  for (const kind of ['MyConfigMap', 'SecretStore']) expect(pairs([`${kind} web-5f7b6c9d2k`], [`${kind} web-c9d2f7b6k5`])).toEqual({})
  expect(pairs(['ConfigMap web-5f7b6c9d2k-x'], ['ConfigMap web-c9d2f7b6k5-x'])).toEqual({})
})
