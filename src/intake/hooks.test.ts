import { expect, test } from 'vitest'
import { sourceOf, withoutHooks } from './hooks.ts'
import { readVendorObjects, type VendorObject } from './vendor-objects.ts'

function job(name: string, hook: string | undefined, source = ''): string {
  const annotations = hook === undefined ? '' : `  annotations: {helm.sh/hook: ${JSON.stringify(hook)}}\n`
  return `---\n${source}apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ${name}\n${annotations}`
}

function read(...texts: readonly string[]): readonly VendorObject[] {
  return readVendorObjects([{ name: 'chart', bytes: Buffer.from(texts.join('')) }]).objects
}

/** Returns whether an object with a hook is kept, without hooks and with them. */
function isKept(hook: string | undefined): readonly boolean[] {
  return [false, true].map((keeps) => withoutHooks(read(job('a', hook)), keeps).objects.length === 1)
}

test.each([
  { hook: undefined, expected: [true, true] },
  { hook: 'pre-install', expected: [false, true] },
  { hook: 'post-install, post-upgrade', expected: [false, true] },
  { hook: '', expected: [false, true] },
  { hook: 'crd-install', expected: [true, true] },
  { hook: 'pre-install,crd-install', expected: [true, true] },
  { hook: 'test', expected: [false, false] },
  { hook: 'test-success', expected: [false, false] },
  { hook: 'test-failure', expected: [false, false] },
  { hook: 'pre-install, test', expected: [false, false] },
  { hook: 'tests', expected: [false, true] },
  { hook: 'pre-test', expected: [false, true] },
])('the hook $hook is kept, without --hooks keep and with it: $expected', ({ hook, expected }) => {
  expect(isKept(hook)).toEqual(expected)
})

test('the others stay in their order, and each hook that is left out is a warning with its template', () => {
  const objects = read(
    job('a', undefined),
    job('b', 'pre-install', '# Source: web/templates/job.yaml\n'),
    job('c', 'test'),
    job('d', undefined),
  )
  const { objects: kept, left } = withoutHooks(objects, false)
  expect(kept.map(({ object }) => object.name)).toEqual(['a', 'd'])
  expect(left).toEqual([
    {
      severity: 'warning',
      message: '`Job b` is left out: it is a hook (pre-install), which only Helm runs; --hooks keep makes it an object of the package',
      resourceRef: { apiVersion: 'batch/v1', kind: 'Job', name: 'b' },
      file: { path: 'web/templates/job.yaml', index: 0 },
      tags: { rule: 'import-hook' },
    },
    {
      severity: 'warning',
      message: '`Job c` is left out: it is a hook (test), which only Helm runs; `helm test` runs it',
      resourceRef: { apiVersion: 'batch/v1', kind: 'Job', name: 'c' },
      tags: { rule: 'import-hook' },
    },
  ])
})

test.each([
  { source: '# Source: web/templates/job.yaml\n', expected: 'web/templates/job.yaml' },
  { source: '# Source: web/templates/job.yaml\r\n', expected: 'web/templates/job.yaml' },
  { source: '# From: web/templates/job.yaml\n', expected: undefined },
  { source: '', expected: undefined },
])('the template of an object is that of its comment: $source', ({ source, expected }) => {
  const [object] = read(job('a', undefined, source))
  expect(object && sourceOf(object)).toBe(expected)
})
