import { expect, test } from 'vitest'
import { findingsOn, objectOf, packageObject } from '../testing/objects.ts'

const IMAGE = 'xpkg.example.org/acme/helm:v1.0.0'

test.each([
  {
    spec: { revisionActivationPolicy: 'automatic' },
    words: "must be one of 'Automatic', 'Manual', got 'automatic'; did you mean 'Automatic'?",
  },
  { spec: { packagePullPolicy: 'Allways' }, words: "did you mean 'Always'?" },
  { spec: { skipDependencyResolution: 'yes' }, words: "must be true or false, got 'yes'" },
  { spec: { revisionActivationPolcy: 'Manual' }, words: "is not a field of spec; did you mean 'revisionActivationPolicy'?" },
  { spec: { packagePullSecret: [] }, words: "did you mean 'packagePullSecrets'?" },
])('$spec is reported', ({ spec, words }) => {
  expect(findingsOn([packageObject('helm', IMAGE, spec)])).toEqual([expect.stringContaining(words)])
})

test.each([
  { revisionActivationPolicy: 'Manual', packagePullPolicy: 'Never', skipDependencyResolution: true, runtimeConfigRef: { name: 'default' } },
  { fieldOfALaterRelease: true },
  { revisionActivationPolicy: '${POLICY}', packagePullPolicy: '${PULL:-Always}', skipDependencyResolution: '${SKIP}' },
])('%o is fine', (spec) => {
  expect(findingsOn([packageObject('helm', IMAGE, spec)])).toEqual([])
})

test('a field that packages had once is reported as removed alone', () => {
  expect(findingsOn([packageObject('helm', IMAGE, { imagePullPolicy: 'Always' })])).toEqual([expect.stringMatching(/^field-removed: /)])
})

test('a version of the API that is not served is reported, and the package is read nevertheless', () => {
  const inVersion = (version: string) => {
    const metadata = { name: 'helm' }
    return findingsOn([objectOf({ apiVersion: `pkg.crossplane.io/${version}`, kind: 'Provider', metadata, spec: { package: IMAGE } })])
  }
  expect(inVersion('v1beta2')).toEqual([
    "dependency-form-invalid: `apiVersion` must be one of 'pkg.crossplane.io/v1', 'pkg.crossplane.io/v1beta1', got 'pkg.crossplane.io/v1beta2'; did you mean 'pkg.crossplane.io/v1beta1'?",
  ])
  expect([inVersion('v1'), inVersion('v1beta1')]).toEqual([[], []])
})
