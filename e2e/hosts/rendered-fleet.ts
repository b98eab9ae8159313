import { expect } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

/** The clusters of a rendered fleet. */
export const CLUSTERS = ['ber', 'ham'] as const

const cluster = (name: string) => `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: ${name}, labels: {deploy: "true"}}
spec: {type: git, deployment: true, git: {repo: "https://git.example.com/fleet.git", branch: main, directory: packages/${name}}}
`

const matrix = (packages: readonly string[]) => `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: base}
spec:
  upstreams: [${packages.map((name) => `{repo: catalog, package: ${name}, revision: 1}`).join(', ')}]
  targets:
  - repositorySelector: {matchLabels: {deploy: "true"}}
`

type Files = Readonly<Record<string, string>>

/** Returns a rendered fleet with two clusters, each of which has the packages. */
export async function renderedFleet(packages: Readonly<Record<string, Files>>): Promise<TestRepository> {
  const folder = testFolder()
  const fleet = new TestRepository(folder)
  fleet.write('fleet/matrix.yaml', matrix(Object.keys(packages)))
  for (const name of CLUSTERS) fleet.write(`fleet/${name}.yaml`, cluster(name))
  for (const [name, files] of Object.entries(packages)) {
    fleet.write(`fleet/catalog/${name}@v1/Kptfile`, `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: ${name}}\n`)
    for (const [path, text] of Object.entries(files)) fleet.write(`fleet/catalog/${name}@v1/${path}`, text)
  }
  const { exitCode, stderr } = await fleet.run('render', 'fleet', '--out', 'packages')
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' })
  return fleet
}
