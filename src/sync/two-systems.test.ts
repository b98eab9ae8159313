import { expect, test } from 'vitest'
import { resourceListOf } from '../fleet/testing/fleet-of-objects.ts'
import type { JsonRecord } from '../json.ts'
import { formatResult } from '../result.ts'
import { gitRepositoryOf, syncOf, variantOf } from './testing/sync-of-objects.ts'
import { twoSystems } from './two-systems.ts'

const fleet = ['one', 'two'].flatMap((name) => [gitRepositoryOf(name, { directory: 'packages' }), variantOf(name, 'net')])
const made = (system: 'flux' | 'argocd' | 'config-sync') => syncOf(fleet, { system }).objects

const findings = (objects: readonly JsonRecord[]) => twoSystems(resourceListOf(objects).items).map(formatResult)

test('folders that two systems deploy are one warning for each two systems', () => {
  expect(findings([...made('flux'), ...made('argocd')]).map((line) => line.replace(/^\S+ /, ''))).toEqual([
    "warning: two systems deploy 2 folders, the first is 'packages/net': flux and argocd take the objects in the cluster from each other; `krm-variants sync DIR --leave flux`, or --leave argocd, takes one of the two away in two commits, and deletes nothing in a cluster [sync-two-systems]",
  ])
  expect(findings([...made('flux'), ...made('config-sync')])).toHaveLength(1)
  expect(findings([...made('flux'), ...made('argocd'), ...made('config-sync')])).toHaveLength(1)
})

test('one system, other folders, and a Kustomization without its source are no warning', () => {
  expect(findings(made('flux'))).toEqual([])
  const elsewhere = JSON.parse(JSON.stringify(made('argocd')).replaceAll('packages/net', 'packages/app'))
  expect(findings([...made('flux'), ...elsewhere])).toEqual([])
  expect(findings([...made('flux').filter(({ kind }) => kind === 'Kustomization'), ...made('argocd')])).toEqual([])
})
