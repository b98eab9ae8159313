import { expect, test } from 'vitest'
import { carvelFindings, packageInstall } from '../testing/objects.ts'

const RECORD = 'krm-variants.dev/last-generated'

/** Returns the findings on an install that was generated with one `spec` and now has another one. */
function found(generated: object | string | undefined, spec: object, constraints = '1.0.0') {
  const record = typeof generated === 'object' ? JSON.stringify({ spec: { packageRef: refTo('1.0.0'), ...generated } }) : generated
  const annotations = {
    'kapp-controller.carvel.dev/owner': 'PackageInstall/top',
    'krm-variants.dev/resolved': constraints,
    ...(record !== undefined && { [RECORD]: record }),
  }
  const install = packageInstall('app', 'app.example.com', { selection: { constraints }, spec, metadata: { annotations } })
  return carvelFindings([install])
    .filter(({ rule }) => rule === 'generated-edited')
    .map(({ message, place, tags }) => [message, place.path.join('.'), place.currentValue, `${tags.ecosystem} ${tags.package}`])
}

const refTo = (constraints: string) => ({ refName: 'app.example.com', versionSelection: { constraints } })

test('a field that was changed, added or removed in a generated install is an edit that stays', () => {
  expect(found({ serviceAccountName: 'sa' }, { serviceAccountName: 'mine' })).toEqual([
    [
      "`spec.serviceAccountName` is 'mine', and was generated as 'sa'; `resolve` keeps the edit",
      'spec.serviceAccountName',
      'mine',
      'carvel app.example.com',
    ],
  ])
  expect(found({}, { serviceAccountName: 'mine' }).map(([message]) => message)).toEqual([
    "`spec.serviceAccountName` is 'mine', and was not generated; `resolve` keeps the edit",
  ])
  expect(found({ serviceAccountName: 'sa' }, {}).map(([message, , current]) => [message, current])).toEqual([
    ["`spec.serviceAccountName` is absent, and was generated as 'sa'; `resolve` keeps the edit", undefined],
  ])
  expect(found({ serviceAccountName: 'sa' }, { serviceAccountName: 'sa' })).toEqual([])
})

test('whoever changes the version makes the install an own one', () => {
  expect(found({}, {}, '2.0.0').map(([message, path]) => [message, path])).toEqual([
    [
      "`spec.packageRef.versionSelection.constraints` is '2.0.0', and was generated as '1.0.0'; the install counts as a person's",
      'spec.packageRef.versionSelection.constraints',
    ],
  ])
})

test('a record that cannot be read leaves open what was changed; an install without a record has no edits', () => {
  expect(found('{', {}).map(([message, path]) => [message, path])).toEqual([
    [
      expect.stringMatching(
        /^`metadata\.annotations\[.*last-generated.*\]` must be the JSON of what was generated, .*got '\{'; what people changed is not known/,
      ),
      `metadata.annotations.${RECORD}`,
    ],
  ])
  expect(found(undefined, { serviceAccountName: 'mine' })).toEqual([])
})
