import { expect, test } from 'vitest'
import { labelsOf } from './kustomize-tree.ts'

test.each([
  ['overlays/prod/eu-west-1', { env: 'prod', region: 'eu-west-1' }],
  ['clusters/prod-eu-west-1', { env: 'prod', region: 'eu-west-1' }],
  ['clusters/dev-ap-south-1-2', { env: 'dev', region: 'ap-south-1' }],
  ['clusters/staging-europe-west4', { env: 'staging', region: 'europe-west4' }],
  ['teams/cactus-a1', {}],
] as const)('the path %s shows the labels of its cluster', (path, labels) => {
  expect(labelsOf(path)).toEqual(labels)
})
