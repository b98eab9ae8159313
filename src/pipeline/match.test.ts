import { expect, test } from 'vitest'
import { splitWords } from './exec-words.ts'
import { imageFault, nearestOlder, printImage, resolveImage, versionFor } from './image.ts'

test.each([
  ['sed s/a/b/', ['sed', 's/a/b/']],
  [`sh -c 'cat; echo "x"' "a \\" b" c\\ d`, ['sh', '-c', 'cat; echo "x"', 'a " b', 'c d']],
  [`a'b'"c"d`, ['abcd']],
  ['  ', []],
  ['$HOME/x *', ['$HOME/x', '*']],
  [`sh -c 'cat`, undefined],
  ['a "b', undefined],
])('exec %s is split into words without a shell', (text, words) => {
  expect(splitWords(text)).toEqual(words)
})

test.each([
  ['set-labels', '', 'ghcr.io/kptdev/krm-functions-catalog/set-labels:latest'],
  ['set-labels:v0.2.0', '~0.1', 'ghcr.io/kptdev/krm-functions-catalog/set-labels:~0.1'],
  ['r.e.x:5000/o/kfn', '', 'r.e.x:5000/o/kfn:latest'],
  [`a/b@sha256:${'0'.repeat(64)}`, '', `a/b@sha256:${'0'.repeat(64)}`],
])('image %s with tag field "%s" is the image that kpt runs', (image, tag, resolved) => {
  expect(printImage(resolveImage(image, tag, 'ghcr.io/kptdev/krm-functions-catalog/'))).toBe(resolved)
})

test.each(['Bad Name', 'a//b', 'https://a/b', 'a:b:c', ''])('%s is no image', (image) => {
  expect(imageFault(image)).toBeDefined()
})

test.each([
  ['latest', 'v0.4.5'],
  ['v0.4.1', 'v0.4.1'],
  ['v0.3', 'v0.3.2'],
  ['~0.4.0', 'v0.4.5'],
  ['v0.4.2', undefined],
  ['v0.40', undefined],
])('tag %s asks for the built-in version %s', (tag, version) => {
  const versions = ['v0.4.5', 'v0.4.1', 'v0.3.2', 'v0.3.0']
  expect(versionFor(versions, { repository: 'a/b', tag, digest: '' })).toBe(version)
})

test('a digest asks for no built-in version', () => {
  expect(versionFor(['v0.1.0'], { repository: 'a/b', tag: 'v0.1.0', digest: 'sha256:00' })).toBeUndefined()
})

test.each([
  ['v0.4.4', '', 'v0.4.1'],
  ['v9', '', 'v0.4.5'],
  ['v0.2.9', '', undefined],
  ['master', '', undefined],
  ['', 'sha256:00', 'v0.4.5'],
  ['v0.3.1', 'sha256:00', 'v0.3.0'],
])('in place of tag %s with digest "%s" the nearest older version runs: %s', (tag, digest, version) => {
  const versions = ['v0.4.5', 'v0.4.1', 'v0.3.2', 'v0.3.0']
  expect(nearestOlder(versions, { repository: 'a/b', tag, digest })).toBe(version)
})
