import { expect, test } from 'vitest'
import { KrmObject } from '../../../resource-list/krm-object.ts'
import { DIALECTS } from '../../../versions/dialects.ts'
import { fieldAt } from '../../reading/field.ts'
import { readTaggedFunctions } from '../objects.ts'
import { checkFunctionTags, filterTags, imageName, isTagRange, resolveFunctionTag } from './function-tags.ts'

const DIGEST = '59a5a43c8fcafaf14b5fd4463ccb3fda61d6c0b55ff218cbb5783a29c8d6c20c'

// What regclient answers to each (types/ref, New and CommonName, without tag and digest).
test.each([
  { image: 'set-labels', name: 'docker.io/library/set-labels' },
  { image: 'a/b', name: 'docker.io/a/b' },
  { image: 'docker.io/a', name: 'docker.io/library/a' },
  { image: 'index.docker.io/a/b', name: 'docker.io/a/b' },
  { image: 'registry-1.docker.io/a', name: 'docker.io/library/a' },
  { image: 'ghcr.io/a/b:v1', name: 'ghcr.io/a/b' },
  { image: `ghcr.io/a/b@sha256:${DIGEST}`, name: 'ghcr.io/a/b' },
  { image: `ghcr.io/a/b:v1@sha256:${DIGEST}`, name: 'ghcr.io/a/b' },
  { image: 'localhost/a', name: 'localhost/a' },
  { image: 'localhost:5000/a/b:t', name: 'localhost:5000/a/b' },
  { image: 'GHCR/a/b', name: 'GHCR/a/b' },
  { image: 'foo./a', name: 'foo./a' },
  { image: 'foo.bar', name: 'docker.io/library/foo.bar' },
  { image: '[fe80::1]:5000/a:t', name: '[fe80::1]:5000/a' },
  { image: 'aaaaa~~234..=/', name: undefined },
  { image: 'Set-Labels', name: undefined },
  { image: 'ghcr.io/A/b', name: undefined },
  { image: 'ghcr.io/a/b@sha256:59a5', name: undefined },
  { image: 'localhost', name: undefined },
  { image: 'localhost:a/b', name: undefined },
  { image: 'A/b', name: undefined },
  { image: ':1/a', name: undefined },
  { image: 'a//b', name: undefined },
  { image: 'a___b', name: undefined },
  { image: 'a-_b', name: undefined },
  { image: 'http://a', name: undefined },
  { image: ' a', name: undefined },
  { image: '', name: undefined },
])('$image is $name', ({ image, name }) => {
  expect(imageName(image)).toBe(name)
})

test.each<[string, string, string, readonly string[], object]>([
  ['an absent tag', 'ghcr.io/a/b:v1', '', ['v2.0.0'], { image: 'ghcr.io/a/b:v1' }],
  ['a version', 'ghcr.io/a/b:v1', 'v1.2.0', ['v1.3.0'], { image: 'ghcr.io/a/b:v1.2.0' }],
  ['a partial version', 'a', '1.2', ['v1.2.3'], { image: 'docker.io/library/a:1.2' }],
  ['a text that is no constraint', 'a', 'latest', ['v1.0.0'], { image: 'docker.io/library/a:latest' }],
  ['a range', 'ghcr.io/a/b', '^1.2', ['v1.2', 'v2.0', 'v1.3.1', 'v1.3.0'], { image: 'ghcr.io/a/b:v1.3.1' }],
  ['a range in which only a partial tag is', 'a', '>=1.0, <1.3', ['v1.2', 'v1.3'], { image: 'docker.io/library/a:v1.2' }],
  ['a range without a tag', 'a', '^1.2', ['v2.0.0'], { error: 'no tag could be found matching the version constraint "^1.2"' }],
  [
    'an image that is no reference',
    'A/b',
    'v1',
    [],
    { error: 'failed to parse image "A/b" as reference: it must be [REGISTRY/]REPOSITORY, in lower case' },
  ],
  ['an image that is no reference, without a tag', 'A/b', '', [], { image: 'A/b' }],
  [
    'a tag that no image may have',
    'a',
    '.x',
    [],
    {
      error:
        '`function.tag` ".x" must be a valid image tag: must start with an alphanumeric character or underscore, followed by at most 127 alphanumeric characters, underscores, periods, or dashes',
    },
  ],
  ['the longest tag', 'a', 'x'.repeat(128), [], { image: `docker.io/library/a:${'x'.repeat(128)}` }],
])('%s is resolved: %s with %j of %j', (_what, image, tag, available, expected) => {
  expect(resolveFunctionTag(image, tag, available)).toEqual(expected)
})

test.each([
  ['', false],
  ['v1.2.0', false],
  ['1.2', false],
  ['latest', false],
  ['^1.2', true],
  ['>=1.0.0, <2.0.0', true],
  ['1.x', true],
])('the tag %j is a range: %s', (tag, expected) => {
  expect(isTagRange(tag)).toBe(expected)
})

test('the tags in a range are versions, highest first, without digests and builds of commits', () => {
  const constraint = DIALECTS.kpt.parseConstraint('>=1.0.0')
  if (!constraint.ok) throw new Error('the range is a constraint')
  const tags = ['v1.2.0', 'latest', 'sha256-1', 'v1.10.0', 'v1.3.0-git-abc', '2', 'v3.0.0+x-git-abc', 'v0.9.0', '1.2.0+b']
  expect(filterTags(tags, constraint.value).map(({ text }) => text)).toEqual(['2', 'v1.10.0', 'v1.2.0', '1.2.0+b'])
})

/** Returns the functions of a Kptfile, each with its image and tag. */
const functionsOf = (...mutators: readonly object[]) =>
  readTaggedFunctions([
    KrmObject.fromDocument(JSON.stringify({ apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'p' }, pipeline: { mutators } })),
  ])
const listed = (id: string, versions: readonly string[], ecosystem = 'kpt') => ({
  ecosystem,
  id,
  kind: '',
  namespace: '',
  repository: '',
  latest: '',
  versions: versions.map((version) => ({ version, field: fieldAt(KrmObject.fromDocument('kind: Catalog\n'), []) })),
})

test('the tags of all entries of a catalog that name the same image are known, and those of other systems are not', () => {
  const [one, other] = [
    { image: 'a', tag: '^1.0.0' },
    { image: 'docker.io/library/a:v9', tag: '^2.0.0' },
  ]
  const catalog = [listed('a', ['v1.0.0']), listed('index.docker.io/library/a', ['v2.0.0']), listed('b', ['v3.0.0'])]
  expect(checkFunctionTags(functionsOf(one, other), catalog, { closed: true })).toEqual([])
  const [found, ...others] = checkFunctionTags(
    functionsOf({ image: 'a', tag: '^3.0.0' }),
    [...catalog, listed('a', ['v3.0.0'], 'carvel')],
    {
      closed: false,
    },
  )
  expect(others).toEqual([])
  expect(found).toMatchObject({
    rule: 'function-tag-unresolved',
    message: expect.stringMatching(
      /^`pipeline\.mutators\[0\]\.tag` "\^3\.0\.0" of a \(.*\) comes to no tag: no tag could be found matching the version constraint "\^3\.0\.0"$/,
    ),
    place: { path: ['pipeline', 'mutators', 0, 'tag'], currentValue: '^3.0.0' },
    tags: { ecosystem: 'kpt', dialect: 'm350', dependency: 'docker.io/library/a', required: '^3.0.0' },
  })
  expect(found?.severity).toBeUndefined()
})

test.each<[string, string, string, boolean, readonly (string | undefined)[]]>([
  ['a range of an unknown image in an open universe', 'a', '^1.0.0', false, ['warning']],
  ['a range of an unknown image in a closed universe', 'a', '^1.0.0', true, [undefined]],
  ['a version of an unknown image', 'a', 'v1.0.0', true, []],
  ['a tag that no image may have', 'a', '.x', false, [undefined]],
  ['a range of what is no image', 'A/b', '^1.0.0', false, [undefined]],
])('%s: %s with %s', (_what, image, tag, closed, severities) => {
  expect(checkFunctionTags(functionsOf({ image, tag }), [], { closed }).map(({ severity }) => severity)).toEqual(severities)
})
