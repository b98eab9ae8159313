import { expect, test } from 'vitest'
import { isDns1123Label, isDns1123Subdomain, isLabelKey, isLabelValue, isPackagePath } from './names.ts'

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
