import { expect, test } from 'vitest'
import { planOn } from '../../../testdata/conformance-runner/dependencies/plans.ts'
import { pruneGuard } from './pruning.ts'

const GENERATED = {
  apiVersion: 'packaging.carvel.dev/v1alpha1',
  kind: 'PackageInstall',
  metadata: { name: 'b', namespace: 'default', annotations: { 'krm-variants.dev/resolved': '1.0.0' } },
  spec: { serviceAccountName: 'sa', packageRef: { refName: 'b.example.com', versionSelection: { constraints: '1.0.0' } } },
}
const PACKAGE = {
  apiVersion: 'data.packaging.carvel.dev/v1alpha1',
  kind: 'Package',
  metadata: { name: 'b.example.com.1.0.0', namespace: 'default' },
  spec: { refName: 'b.example.com', version: '1.0.0' },
}

test('a generated package may go where a package that is being written shows that no package requires it', () => {
  const index = planOn([PACKAGE, GENERATED]).readings.all.find(({ ecosystem }) => ecosystem === 'carvel')?.index
  const [found] = index?.installs ?? []
  if (index === undefined || found === undefined) throw new Error('no install')
  // As in an ecosystem whose objects name no owner.
  const install = { ...found, generated: true, metadataKnown: true, isOwnerKnown: undefined, keptBecause: undefined }
  const written = { id: 'a', name: 'a', place: install.place, requirements: [] }
  expect(pruneGuard({ ...index, installs: [install], dependents: [written] })(install)).toBeUndefined()
  expect(pruneGuard({ ...index, installs: [install], dependents: [] })(install)).toContain('no package here was installed by a person')
})
