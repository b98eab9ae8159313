import { expect, test } from 'vitest'
import { findingsOn, packageObject } from '../testing/objects.ts'

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
