import { expect, test } from 'vitest'
import { DEFAULT_PREFIX, imageFault, imageNameFault, nearestOlder, printImage, resolveImage, versionFor } from './image.ts'

const DIGEST = `sha256:${'a'.repeat(64)}`

test.each([
  ['set-labels', true],
  ['set-labels:v0.2', true],
  ['Set-labels', false],
  ['gcr.io/kpt-fn/set-labels:v0.2.0', true],
  ['localhost:5000/a', true],
  ['Host.Example/a', true],
  ['r.e.x:5000/o/kfn', true],
  ['a//b', false],
  ['a:b:c', false],
  ['Bad Name', false],
  ['a/b__c/d--e', true],
  ['a/b..c', false],
  [`a@${DIGEST}`, true],
  [`a:v1@${DIGEST}`, true],
  ['a@sha256:ab', false],
  ['a:', false],
  [`a:${'x'.repeat(128)}`, true],
  [`a:${'x'.repeat(129)}`, false],
  ['https://a/b', false],
  ['', false],
])('%s is an image reference: %s', (image, isValid) => {
  expect(imageFault(image)).toBe(isValid ? undefined : 'must be an image reference such as gcr.io/kpt-fn/set-labels:v0.2.0')
})

test.each([
  ['ghcr.io/kptdev', true],
  ['ghcr.io', true],
  ['GHCR.io', true],
  ['localhost:5000', true],
  ['a/b', true],
  ['ghcr.io/a:v1', false],
  ['https://ghcr.io', false],
  ['a/', false],
])('%s is a prefix of images: %s', (prefix, isValid) => {
  expect(imageNameFault(prefix)).toBe(isValid ? undefined : 'must be a registry and a path such as ghcr.io/kptdev, without https://')
})

test.each([
  // [image, tag, prefix, what runs]
  ['set-labels', '', DEFAULT_PREFIX, `${DEFAULT_PREFIX}/set-labels:latest`],
  ['set-labels:v1', '', 'my.io/fn', 'my.io/fn/set-labels:v1'],
  ['set-labels', '', 'my.io/fn//', 'my.io/fn/set-labels:latest'],
  ['a/set-labels', '', 'my.io/fn', 'a/set-labels:latest'],
  ['a/b:v1', 'v2', '', 'a/b:v2'],
  ['a/b', '>=1.0', '', 'a/b:>=1.0'],
  [`a/b@${DIGEST}`, '', '', `a/b@${DIGEST}`],
  [`a/b:v1@${DIGEST}`, '', '', `a/b:v1@${DIGEST}`],
  [`a/b:v1@${DIGEST}`, 'v2', '', 'a/b:v2'],
  ['No Image', '', 'p', 'p/No Image:latest'],
])('the image %s with the tag %j below %s is %s', (image, tag, prefix, expected) => {
  expect(printImage(resolveImage(image, tag, prefix))).toBe(expected)
})

const VERSIONS = ['v0.4.1', 'v0.4.0', 'v0.2.0', 'v0.1.4']

test.each([
  // [tag, digest, the version that runs, the nearest older one]
  ['v0.2.0', '', 'v0.2.0', 'v0.2.0'],
  ['v0.4', '', 'v0.4.1', 'v0.4.0'],
  ['latest', '', 'v0.4.1', undefined],
  ['>=0.2, <0.4', '', 'v0.2.0', undefined],
  ['v0.3.0', '', undefined, 'v0.2.0'],
  ['v0.5.0', '', undefined, 'v0.4.1'],
  ['v0.1.0', '', undefined, undefined],
  ['unstable', '', undefined, undefined],
  ['v0.40', '', undefined, 'v0.4.1'],
  ['~0.4.0', '', 'v0.4.1', undefined],
  ['', '', undefined, undefined],
  ['', DIGEST, undefined, 'v0.4.1'],
  ['v0.3.0', DIGEST, undefined, 'v0.2.0'],
])('for the tag %j and the digest %j the version %s runs, and %s is the nearest older one', (tag, digest, version, older) => {
  expect(versionFor(VERSIONS, { repository: 'a', tag, digest })).toBe(version)
  // v0.4 is the version 0.4.0, and `latest` none.
  expect(nearestOlder(VERSIONS, { repository: 'a', tag, digest })).toBe(older)
})

test('a function without versions runs for any tag, and not for a digest', () => {
  expect(versionFor([], { repository: 'a', tag: 'x', digest: '' })).toBe('')
  expect(versionFor([], { repository: 'a', tag: '', digest: DIGEST })).toBeUndefined()
})
