import { expect, test } from 'vitest'
import { isAnnotationKey, isDns1123Label, isDns1123Subdomain, isLabelKey, isLabelValue, isPackagePath, longPart } from './names.ts'

test.each([
  { reason: 'plain', name: 'edge-01', subdomain: true, label: true },
  { reason: 'parts', name: 'a.b-c.d0', subdomain: true, label: false },
  { reason: 'empty', name: '', subdomain: false, label: false },
  { reason: 'upper case', name: 'Edge', subdomain: false, label: false },
  { reason: 'slash', name: 'a/b', subdomain: false, label: false },
  { reason: 'dash at the end', name: 'a-', subdomain: false, label: false },
  { reason: 'empty part', name: 'a..b', subdomain: false, label: false },
  { reason: 'line feed at the end', name: 'a\n', subdomain: false, label: false },
  { reason: '63 characters', name: 'a'.repeat(63), subdomain: true, label: true },
  { reason: '64 characters', name: 'a'.repeat(64), subdomain: true, label: false },
  { reason: '254 characters', name: 'a'.repeat(254), subdomain: false, label: false },
])('object name, $reason', ({ name, subdomain, label }) => {
  expect(isDns1123Subdomain(name)).toBe(subdomain)
  expect(isDns1123Label(name)).toBe(label)
})

test.each([
  { key: 'env', legal: true },
  { key: 'nephio.org/site-type', legal: true },
  { key: 'App_Name.v1', legal: true },
  { key: '', legal: false },
  { key: '/env', legal: false },
  { key: 'a/', legal: false },
  { key: 'a/b/c', legal: false },
  { key: 'Upper.org/x', legal: false },
  { key: `example.com/${'a'.repeat(64)}`, legal: false },
])('label key $key: $legal', ({ key, legal }) => {
  expect(isLabelKey(key)).toBe(legal)
})

test.each([
  { value: '', legal: true },
  { value: 'us-east.1_a', legal: true },
  { value: 'not ok!', legal: false },
  { value: '-a', legal: false },
  { value: 'a'.repeat(63), legal: true },
  { value: 'a'.repeat(64), legal: false },
])('label value $value: $legal', ({ value, legal }) => {
  expect(isLabelValue(value)).toBe(legal)
})

test.each([
  { path: 'app', legal: true },
  { path: 'ha/kube-vip', legal: true },
  { path: '..app', legal: true },
  { path: '', legal: false },
  { path: '/app', legal: false },
  { path: 'app/', legal: false },
  { path: 'a//b', legal: false },
  { path: 'a/../b', legal: false },
  { path: '.', legal: false },
  { path: 'a\\b', legal: false },
  { path: 'a\nb', legal: false },
])('package path $path: $legal', ({ path, legal }) => {
  expect(isPackagePath(path)).toBe(legal)
})

test.each([
  { key: 'note', legal: true },
  { key: 'Upper.org/Note_1', legal: true },
  { key: 'upper_case.org/note', legal: false },
  { key: 'a/b/c', legal: false },
  { key: '', legal: false },
  { key: `Example.com/${'a'.repeat(63)}`, legal: true },
  { key: `Example.com/${'a'.repeat(64)}`, legal: false },
])('annotation key $key: $legal', ({ key, legal }) => {
  expect(isAnnotationKey(key)).toBe(legal)
})

test.each([
  { reason: 'a part of 255 bytes', path: `a/${'b'.repeat(255)}`, bytes: undefined },
  { reason: 'a part of 256 bytes', path: `a/${'b'.repeat(256)}/c`, bytes: 256 },
  { reason: 'short parts that are long together', path: `${'a'.repeat(200)}/${'b'.repeat(200)}`, bytes: undefined },
  { reason: 'characters of two bytes, one too many', path: 'ä'.repeat(128), bytes: 256 },
  { reason: 'characters of three bytes, as many as fit', path: '€'.repeat(85), bytes: undefined },
  { reason: 'characters of three bytes, one too many', path: '€'.repeat(86), bytes: 258 },
  { reason: 'the first of two parts', path: `${'a'.repeat(300)}/${'b'.repeat(400)}`, bytes: 300 },
])('a package path is too long for a folder by one part alone: $reason', ({ path, bytes }) => {
  const message = `must be a package path whose parts have at most 255 bytes, one has ${bytes}`
  expect(longPart(path)).toBe(bytes === undefined ? undefined : message)
})
