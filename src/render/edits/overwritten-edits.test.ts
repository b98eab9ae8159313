import { expect, test } from 'vitest'
import { packageOfTexts } from '../../../testdata/package-of-texts.ts'
import type { FieldPath } from '../../field-path.ts'
import { wholeVariant } from '../../fleet/fleet-variants.ts'
import { variantsOf } from '../../lifecycle/testing/places-of.ts'
import type { Result, Severity } from '../../result.ts'
import type { RuleId } from '../../rules/rule-id.ts'
import { unchanged } from '../clone/rendered-package.ts'
import { WorkingPackage } from '../clone/working-package.ts'
import { withoutOverwritten } from './overwritten-edits.ts'

const FILES = {
  Kptfile: 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: edge\n',
  'point.yaml': 'apiVersion: a.io/v1\nkind: Site\nmetadata:\n  name: injected\n  annotations:\n    kpt.dev/injected-resource: one\n',
  'plain.yaml': 'apiVersion: a.io/v1\nkind: Site\nmetadata:\n  name: plain\n',
}

function found(rule: RuleId, [kind, name]: readonly [string, string], path: FieldPath, severity: Severity = 'warning'): Result {
  return { severity, message: rule, resourceRef: { apiVersion: 'v1', kind, name }, field: { path }, tags: { rule } }
}

/** Returns true if a finding of an update is left, for a variant that writes `site` into the package context. */
function isLeft(finding: Result, ...mutated: readonly Result[]): boolean {
  const files = new Map([...packageOfTexts(FILES)].map(([path, content]) => [path, unchanged(content, 'ours')]))
  const [planned] = variantsOf('edge/shop')
  if (planned === undefined) throw new Error('one variant')
  const variant = { ...wholeVariant(planned), packageContext: { data: new Map([['site', 'a']]), removeKeys: [] } }
  return withoutOverwritten([finding], variant, new WorkingPackage(files), mutated).length === 1
}

const CONTEXT = ['ConfigMap', 'kptfile.kpt.dev'] as const
const INJECTED = ['Site', 'injected'] as const
const PLAIN = ['Site', 'plain'] as const

test('a value that the variant injects again is no lost edit, and it is one of a resource without injection or of another field', () => {
  expect(isLeft(found('edit-lost', INJECTED, ['spec', 'a']))).toBe(false)
  expect(isLeft(found('edit-lost', INJECTED, ['data', 'a']))).toBe(false)
  expect(isLeft(found('edit-lost', INJECTED, ['metadata', 'labels', 'a']))).toBe(true)
  expect(isLeft(found('edit-lost', PLAIN, ['spec', 'a']))).toBe(true)
})

test('an injected value whose point is no longer met is lost', () => {
  expect(isLeft(found('edit-lost', INJECTED, ['spec', 'a']), found('injection-unmet', INJECTED, ['spec']))).toBe(true)
  expect(isLeft(found('edit-lost', INJECTED, ['spec', 'a']), found('injection-unmet', PLAIN, ['spec']))).toBe(false)
})

test('a key of the package context that kpt or the variant writes is no lost edit, any other one is', () => {
  for (const key of ['name', 'package-path', 'site']) expect(isLeft(found('edit-lost', CONTEXT, ['data', key])), key).toBe(false)
  expect(isLeft(found('edit-lost', CONTEXT, ['data', 'mine']))).toBe(true)
  expect(isLeft(found('edit-lost', CONTEXT, ['metadata', 'labels', 'site']))).toBe(true)
  expect(isLeft(found('change-passed-over', CONTEXT, ['data', 'site']))).toBe(true)
})

test('an annotation of the Kptfile that render writes is no finding, but an error about it is', () => {
  const [path, kptfile] = [['metadata', 'annotations', 'krm-variants.dev/fleet'], ['Kptfile', 'edge'] as const] as const
  expect(isLeft(found('edit-lost', kptfile, path))).toBe(false)
  expect(isLeft(found('change-passed-over', kptfile, path))).toBe(false)
  expect(isLeft(found('edit-lost', kptfile, path, 'error'))).toBe(true)
  expect(isLeft(found('edit-lost', PLAIN, path))).toBe(true)
  expect(isLeft(found('edit-lost', kptfile, ['metadata', 'annotations', 'mine']))).toBe(true)
})
