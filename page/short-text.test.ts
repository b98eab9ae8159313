import { expect, test } from 'vitest'
import { labelLines, shortMiddle } from './short-text.ts'

test.each([
  { reason: 'a short text stays', text: 'spec.replicas', most: 20, short: 'spec.replicas' },
  { reason: 'a long text loses its middle', text: 'spec.template.spec.containers[till].image', most: 21, short: 'spec.templ…ill].image' },
])('$reason', ({ text, most, short }) => {
  expect(shortMiddle(text, most)).toBe(short)
  expect(short.length).toBeLessThanOrEqual(most)
})

test.each([
  {
    reason: 'breaks after a hyphen',
    label: 'point-of-sale-store-ham-01-point-of-sale',
    lines: 'point-of-sale-store-ham-\n01-point-of-sale',
  },
  { reason: 'breaks after a blank', label: 'PackageVariantSet fleet/point-of-sale', lines: 'PackageVariantSet fleet/\npoint-of-sale' },
  { reason: 'a word longer than a line loses its middle', label: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaab', lines: 'aaaaaaaaaaaa…aaaaaaaaaab' },
])('$reason', ({ label, lines }) => {
  expect(labelLines(label, 24)).toBe(lines)
})
