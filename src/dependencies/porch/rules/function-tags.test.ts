import { expect, test } from 'vitest'
import { imageName } from './function-tags.ts'

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
