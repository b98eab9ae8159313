import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyFolder, differingFiles, readFolder } from './folder-copy.ts'
import { bundlePath, runProgram } from './run-program.ts'

const KPT = process.env.KPT ?? 'kpt'

/** The trials that the README of each example suggests, and the answers of the validator. */
const EXAMPLES = [
  {
    example: 'dependencies-carvel',
    edit: { file: 'installs.yaml', from: 'constraints: 1.16.1', to: 'constraints: 1.13.3' },
    says: 'resolvable by updating cert-manager.packages.example.com to 1.16.1',
  },
  {
    example: 'dependencies-crossplane',
    edit: { file: 'control-plane.yaml', from: 'provider-aws-s3:v2.1.0', to: 'provider-aws-s3:v1.21.0' },
    says: 'resolvable by updating xpkg.crossplane.io/crossplane-contrib/provider-aws-s3 to v2.1.0',
  },
  {
    example: 'dependencies-glasskube',
    edit: { file: 'packages.yaml', from: 'version: v1.27.1+1', to: 'version: v0.22.0+1' },
    says: 'resolvable by updating cloudnative-pg to v1.27.1+1',
  },
  {
    example: 'dependencies-porch',
    edit: { file: 'variants.yaml', from: 'repo: catalog', to: 'repo: edge-01' },
    says: 'derives from itself: edge-01/base (variants.yaml spec.upstream) -> regions/base (variants.yaml spec.upstream) -> edge-01/base',
  },
  {
    example: 'dependencies-four-ecosystems',
    edit: { file: 'glasskube.yaml', from: /.*\n---\n/s, to: '' },
    says: 'cert-manager.io/v1 Certificate (carvel.yaml spec.dependencies[0]), which is not served; it is provided by cert-manager',
  },
]

test.each(EXAMPLES)(
  'examples/$example passes under kpt, changes no file of its own, and fails after the edit its README proposes',
  async (each) => {
    const folder = copyFolder(`examples/${each.example}`)
    const before = readFolder(folder)
    const passed = await render(folder)
    expect(passed.exitCode, passed.stderr).toBe(0)
    expect(differingFiles(before, readFolder(folder)).filter((path) => path !== 'Kptfile')).toEqual([])
    const file = join(folder, each.edit.file)
    writeFileSync(file, readFileSync(file, 'utf8').replace(each.edit.from, each.edit.to))
    const failed = await render(folder)
    expect(failed.exitCode).toBe(1)
    expect(failed.stderr).toContain(each.says)
  },
)

/** A package of each system that others require, and what the validator says without it. */
const REQUIRED = [
  {
    example: 'dependencies-carvel',
    file: 'installs.yaml',
    name: 'cert-manager',
    says: 'which is not installed: cert-manager.packages.example.com 1.16.1',
  },
  {
    example: 'dependencies-crossplane',
    file: 'control-plane.yaml',
    name: 'family-aws',
    says: 'which is not installed: xpkg.crossplane.io',
  },
  {
    example: 'dependencies-glasskube',
    file: 'packages.yaml',
    name: 'cloudnative-pg',
    says: 'which is not installed: cloudnative-pg v1.27.1+1',
  },
]

test.each(REQUIRED)('without $name examples/$example fails, resolve-dependencies fixes it, and has nothing to do again', async (each) => {
  const folder = copyFolder(`examples/${each.example}`)
  const file = join(folder, each.file)
  const documents = readFileSync(file, 'utf8').split(/^---\n/m)
  const others = documents.filter((document) => !document.includes(`metadata:\n  name: ${each.name}\n`))
  expect(others).toHaveLength(documents.length - 1)
  writeFileSync(file, others.join('---\n'))
  const failed = await render(folder)
  expect(failed.exitCode).toBe(1)
  expect(failed.stderr).toContain(each.says)
  const before = readFolder(folder)
  const resolved = await resolve(folder)
  expect(resolved.exitCode, resolved.stderr).toBe(0)
  expect(differingFiles(before, readFolder(folder))).toEqual(['dependencies.yaml'])
  const passed = await render(folder)
  expect(passed.exitCode, passed.stderr).toBe(0)
  const after = readFolder(folder)
  expect((await resolve(folder)).exitCode).toBe(0)
  expect(differingFiles(after, readFolder(folder))).toEqual([])
})

const RESOLVE = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: ResolveDependencies
metadata:
  name: resolve
spec:
  universe: closed
  cluster:
    kubernetesVersion: 1.31.2
    kappControllerVersion: 0.54.0
    crossplaneVersion: v2.1.3
`

function resolve(folder: string) {
  const config = join(folder, '..', 'resolve.yaml')
  writeFileSync(config, RESOLVE)
  const program = bundlePath('resolve-dependencies')
  return runProgram(KPT, ['fn', 'eval', folder, '--exec', program, '--fn-config', config, '--truncate-output=false'])
}

function render(folder: string) {
  return runProgram(KPT, ['fn', 'render', folder, '--allow-exec', '--truncate-output=false'])
}
