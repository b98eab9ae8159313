import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { Deployers } from './deployers.ts'

const FOLDER = 'store-ham/tills'

function removalOf(deployer: string, annotations = '{}') {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations: JSON.parse(annotations) } }
  return new Deployers([KrmObject.fromDocument(deployer)]).removalOf(FOLDER, object)
}

const flux = (spec: string) => `{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: a}, spec: {${spec}}}`
const argocd = (path: string, policy: string) =>
  `{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: a}, spec: {source: {path: ${path}}, syncPolicy: {${policy}}}}`

test.each([
  ['a Kustomization that prunes', flux('path: ./clusters/store-ham/tills, prune: true'), 'Flux', true],
  ['a Kustomization of the cluster', flux('path: clusters/store-ham/, prune: true'), 'Flux', true],
  ['a Kustomization that does not prune', flux('path: ./store-ham/tills, prune: false'), 'Flux', false],
  ['a Kustomization that is suspended', flux('path: ./store-ham/tills, prune: true, suspend: true'), 'Flux', false],
  ['an Application without automated sync', argocd('store-ham/tills', 'automated: {prune: true, enabled: false}'), 'Argo CD', false],
  [
    'an Application that keeps everything',
    argocd('store-ham/tills', 'automated: {prune: true}, syncOptions: [Prune=false]'),
    'Argo CD',
    false,
  ],
  ['an Application that prunes', argocd('clusters/store-ham/tills', 'automated: {prune: true}'), 'Argo CD', true],
  ['an Application that a person syncs', argocd('clusters/store-ham/tills', 'syncOptions: [A=b]'), 'Argo CD', false],
  [
    'an element of an ApplicationSet',
    '{apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{list: {elements: [{path: store-ham/tills}]}}], template: {spec: {syncPolicy: {automated: {prune: true}}}}}}',
    'Argo CD',
    true,
  ],
  ['a RootSync', '{apiVersion: configsync.gke.io/v1beta1, kind: RootSync, spec: {git: {dir: store-ham/tills}}}', 'Config Sync', true],
])('%s decides what happens to an object that leaves its package', (_, deployer, by, isPruned) => {
  expect(removalOf(deployer)).toMatchObject({ by, isPruned })
})

test.each([
  ['another package', flux('path: ./clusters/store-ber/tills, prune: true')],
  ['a package of a like name', flux('path: ./clusters/the-store-ham/tills, prune: true')],
  ['a Kustomization of kustomize', '{apiVersion: kustomize.config.k8s.io/v1beta1, kind: Kustomization, spec: {path: store-ham/tills}}'],
])('a deployer of %s decides nothing', (_, deployer) => {
  expect(removalOf(deployer)).toBeUndefined()
})

test('an annotation of the object keeps it in the cluster, if it is one of its deployer', () => {
  const pruning = flux('path: ./clusters/store-ham/tills, prune: true')
  expect(removalOf(pruning, '{"kustomize.toolkit.fluxcd.io/prune": "disabled"}')).toMatchObject({ isPruned: false })
  expect(removalOf(pruning, '{"argocd.argoproj.io/sync-options": "Prune=false"}')).toMatchObject({ isPruned: true })
  const application = argocd('clusters/store-ham/tills', 'automated: {prune: true}')
  const withOptions = (options: string) => removalOf(application, `{"argocd.argoproj.io/sync-options": "${options}"}`)
  expect(withOptions('Validate=false, Prune=false')).toMatchObject({ isPruned: false })
  expect(withOptions('Delete=false')).toMatchObject({ isPruned: true })
})
