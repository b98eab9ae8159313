import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { testFolder } from '../../testdata/test-folder.ts'
import { bundlePath, ROOT, runProgram } from '../run-program.ts'
import { changesOf, TREE_FORMS } from './kustomize-trees.ts'
import { readCommands, readFiles } from './markdown.ts'
import { KUSTOMIZE } from './present-hosts.ts'

const OVERLAYS = ['staging', 'prod'] as const

/** Returns the objects of YAML texts in an order of their own, without those that no cluster gets. */
function objectsOf(texts: readonly string[]): readonly unknown[] {
  const objects = texts.flatMap((text) => parseAllDocuments(text)).filter((document) => document.has('kind'))
  const isLocal = (document: (typeof objects)[number]) =>
    document.get('kind') === 'Kptfile' || document.getIn(['metadata', 'annotations', 'config.kubernetes.io/local-config']) === 'true'
  const applied = objects.filter((document) => !isLocal(document))
  for (const document of applied) {
    const annotations = ['metadata', 'annotations']
    // kpt's own note of where an object comes from, which every package fetched by kpt has.
    if (document.hasIn(annotations)) document.deleteIn([...annotations, 'internal.kpt.dev/upstream-identifier'])
    if (document.toJS().metadata.annotations !== undefined && Object.keys(document.toJS().metadata.annotations).length === 0)
      document.deleteIn(annotations)
  }
  return applied
    .map((document) => [`${document.get('kind')} ${document.getIn(['metadata', 'name'])}`, document.toJS()] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** Returns the text of each file of a folder, by its path. */
function filesOf(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(entries.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]))
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Returns the tool in a folder, which must end with 0. It returns what the tool prints. */
function toolIn(folder: string) {
  return async (...words: readonly string[]): Promise<string> => {
    const { stdout, stderr, exitCode } = await runProgram('env', ['--chdir', folder, bundlePath('krm-variants'), ...words])
    expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 })
    return stdout.toString()
  }
}

/** Returns the objects that a cluster has after rendering, and those that kustomize builds of its overlay. */
async function bothOf(folder: string, overlay: string) {
  const { stdout } = await runProgram('kustomize', ['build', join(folder, 'shop/overlays', overlay)])
  const files = [...filesOf(join(folder, 'fleet/clusters', overlay))].filter(([path]) => path.endsWith('.yaml'))
  return { rendered: objectsOf(files.map(([, text]) => text)), built: objectsOf([stdout.toString()]) }
}

/** Expects that a change of the base reaches each cluster by import and render alone, as kustomize builds its overlay. */
async function expectBroughtByImport(folder: string): Promise<void> {
  const run = toolIn(folder)
  await run('import', '--kustomize', 'shop/base', '--as', 'fleet/catalog/shop', '--allow-exec')
  await run('outdated', '--write', 'fleet')
  await run('render', 'fleet')
  for (const overlay of OVERLAYS) {
    const { rendered, built } = await bothOf(folder, overlay)
    expect(rendered).toEqual(built)
  }
}

/** Runs every command of a page in a folder with its files. */
async function runPage(page: string): Promise<void> {
  const markdown = readFileSync(join(ROOT, page), 'utf8')
  const folder = testFolder()
  write(folder, { ...Object.fromEntries(readFiles(markdown)), 'programs/README': '' })
  symlinkSync(bundlePath('krm-variants'), join(folder, 'programs/krm-variants'))
  const commands = readCommands(markdown)
  expect(commands.length).toBeGreaterThan(7)
  for (const { command, output } of commands) {
    const PATH = `${folder}/programs${delimiter}${process.env.PATH}`
    const args = [`PATH=${PATH}`, 'bash', '-o', 'pipefail', '-c', `cd '${folder}' && ${command}`]
    const { stdout, stderr, exitCode } = await runProgram('env', args)
    expect({ command, told: `${stdout}${stderr}`, exitCode }).toEqual({ command, told: output, exitCode: 0 })
  }
}

test('docs/from-argocd.md: from ApplicationSets to a fleet and a change of a source, each command with what it prints', async () => {
  await runPage('docs/from-argocd.md')
})

describe.skipIf(!KUSTOMIZE.present)('with kustomize', () => {
  test('docs/from-kustomize.md: from a tree to a fleet and a change of its base, each command with what it prints', async () => {
    await runPage('docs/from-kustomize.md')
  })

  test.each(TREE_FORMS)('a tree with $name: every cluster gets what kustomize builds, and each change of the base', async (form) => {
    const { files } = form
    const folder = testFolder()
    const run = async (...words: readonly string[]) => {
      const { stdout, stderr, exitCode } = await runProgram('env', ['--chdir', folder, bundlePath('krm-variants'), ...words])
      return { stdout: stdout.toString(), stderr, exitCode }
    }
    const convert = () => run('convert', 'kustomize', 'shop', '--out', 'fleet', '--allow-exec')
    const expectEqual = async (change: string) => {
      for (const overlay of OVERLAYS) {
        const { rendered, built } = await bothOf(folder, overlay)
        expect({ change, overlay, rendered }).toEqual({ change, overlay, rendered: built })
      }
    }
    write(join(folder, 'shop'), files)
    expect(await convert()).toMatchObject({ exitCode: 0 })
    await expectEqual('none')
    const before = filesOf(join(folder, 'fleet'))
    expect(await convert()).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^nothing to do: the fleet is as the tree$/m) })
    expect(filesOf(join(folder, 'fleet'))).toEqual(before)
    for (const [change, changed] of Object.entries(changesOf(form))) {
      write(join(folder, 'shop'), changed)
      expect({ change, ...(await convert()) }).toMatchObject({ change, exitCode: 0 })
      await expectEqual(change)
    }
    expect(await run('check', 'fleet')).toMatchObject({ exitCode: 0 })
    expect(await run('render', 'fleet')).toMatchObject({ exitCode: 0 })
    await expectEqual('one more render')
  })

  test('twenty clusters: a proved fleet, a new image of the base in all of them, and the next one in a ring', async () => {
    const folder = testFolder()
    const run = toolIn(folder)
    const base = (tag: string) =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\nspec:\n  template:\n    spec:\n      containers:\n        - name: shop\n          image: shop:${tag}\n`
    const clusters = [...Array(20).keys()].map((at) => `${at < 5 ? 'staging' : 'prod'}-eu-west-${at}`)
    write(join(folder, 'deploy'), {
      'base/kustomization.yaml': 'resources: [deployment.yaml]\n',
      'base/deployment.yaml': base('1'),
      ...Object.fromEntries(
        clusters.map((name) => [
          `clusters/${name}/kustomization.yaml`,
          `resources: [../../base]\nnamespace: shop\nlabels:\n  - pairs: {cluster: ${name}}\n`,
        ]),
      ),
    })
    const convert = () => run('convert', 'kustomize', 'deploy', '--out', 'fleet', '--allow-exec')
    const images = () =>
      clusters.map(
        (name) => /image: shop:(\d)/.exec(readFileSync(join(folder, `fleet/clusters/${name}/deploy/deployment-shop.yaml`), 'utf8'))?.[1],
      )
    expect((await convert()).match(/: equal, 1 object$/gm)).toHaveLength(20)
    write(join(folder, 'deploy'), { 'base/deployment.yaml': base('2') })
    expect((await convert()).match(/: equal, 1 object$/gm)).toHaveLength(20)
    expect(images()).toEqual(clusters.map(() => '2'))
    const matrix = join(folder, 'fleet/fleet/deploy.yaml')
    const rings = '  rings:\n    - name: staging\n      where: repository.labels.env == "staging"\n    - name: prod\n'
    writeFileSync(matrix, readFileSync(matrix, 'utf8') + rings)
    write(join(folder, 'deploy'), { 'base/deployment.yaml': base('3') })
    await run('import', '--kustomize', 'deploy/base', '--as', 'fleet/catalog/deploy', '--allow-exec')
    await run('promote', '--matrix', 'deploy', '--package', 'deploy', '--to', '3', '--ring', 'staging', 'fleet')
    await run('render', 'fleet')
    expect(images()).toEqual(clusters.map((name) => (name.startsWith('staging') ? '3' : '2')))
  })

  test('an overlay that is new since the conversion gets what kustomize builds, and so do the others after one is gone', async () => {
    const folder = testFolder()
    const run = toolIn(folder)
    const overlay = (env: string, more = '') => `resources: [../../base]\nnamespace: ${env}\nlabels:\n  - pairs: {env: ${env}}\n${more}`
    const object = (level: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shop\ndata:\n  level: ${level}\n`
    const patch = (level: string) => `patches:\n  - patch: |-\n${object(level).replaceAll(/^/gm, '      ').trimEnd()}\n`
    const convert = () => run('convert', 'kustomize', 'shop', '--out', 'fleet', '--allow-exec')
    write(join(folder, 'shop'), {
      'base/kustomization.yaml': 'resources: [map.yaml]\n',
      'base/map.yaml': object('info'),
      'overlays/prod/kustomization.yaml': overlay('prod', patch('warn')),
      'overlays/test/kustomization.yaml': overlay('test'),
    })
    await convert()
    write(join(folder, 'shop'), { 'overlays/staging/kustomization.yaml': overlay('staging', `${patch('debug')}namePrefix: next-\n`) })
    expect(await convert()).toContain('overlays/staging → clusters/staging: equal, 1 object\n  the cluster is new in the fleet\n')
    rmSync(join(folder, 'shop/overlays/test'), { recursive: true })
    write(join(folder, 'shop'), { 'base/map.yaml': `${object('error')}  color: blue\n` })
    await convert()
    for (const name of OVERLAYS) {
      const { rendered, built } = await bothOf(folder, name)
      expect(rendered).toEqual(built)
    }
  })

  test('values that the env or the region decides are tables, also after changes that keep the rule and one that breaks it', async () => {
    const folder = testFolder()
    const run = toolIn(folder)
    const deployment = (fields: string) => `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\n${fields}`
    const zoneOf = (zone: string) =>
      `spec:\n  template:\n    spec:\n      containers:\n        - name: shop\n          env:\n            - name: ZONE\n              value: ${zone}\n`
    const overlay = (env: string, region: string, replicas: number) => {
      const patch = deployment(zoneOf(`${region}-a`)).replaceAll(/^(?=.)/gm, '      ')
      const text = `resources: [../../base]\nnamespace: ${env}\nreplicas:\n  - name: shop\n    count: ${replicas}\nlabels:\n  - pairs: {cell: ${env}-${region}}\npatches:\n  - patch: |-\n${patch}`
      write(join(folder, 'shop'), { [`overlays/${env}-${region}/kustomization.yaml`]: text })
    }
    const overlays = ['prod', 'staging'].flatMap((env) => ['eu-west-1', 'us-east-1', 'ap-south-1'].map((region) => [env, region] as const))
    const converted = async (clusters: readonly (readonly [string, string])[]) => {
      await run('convert', 'kustomize', 'shop', '--out', 'fleet', '--allow-exec')
      for (const [env, region] of clusters) {
        const { rendered, built } = await bothOf(folder, `${env}-${region}`)
        expect(rendered).toEqual(built)
      }
      const matrix = readFileSync(join(folder, 'fleet/fleet/shop.yaml'), 'utf8')
      return Array.from(matrix.matchAll(/# by .*/g), ([text]) => text).toSorted()
    }
    const zones = '# by region: ap-south-1: ap-south-1-a, eu-west-1: eu-west-1-a, us-east-1: us-east-1-a'
    const namespaces = '# by env: prod: prod, staging: staging'
    write(join(folder, 'shop'), {
      'base/kustomization.yaml': 'resources: [deployment.yaml]\n',
      'base/deployment.yaml': deployment(zoneOf('none').replace('spec:\n', 'spec:\n  replicas: 2\n')),
    })
    for (const [env, region] of overlays) overlay(env, region, env === 'prod' ? 3 : 1)
    expect(await converted(overlays)).toEqual(['# by env: prod: 3, staging: 1', namespaces, zones])
    const before = filesOf(join(folder, 'fleet'))
    await converted(overlays)
    expect(filesOf(join(folder, 'fleet'))).toEqual(before)
    for (const [env, region] of overlays) overlay(env, region, env === 'prod' ? 5 : 1)
    expect(await converted(overlays)).toEqual(['# by env: prod: 5, staging: 1', namespaces, zones])
    overlay('prod', 'eu-west-1', 7)
    expect(await converted(overlays)).toEqual([namespaces, zones])
    overlay('qa', 'eu-west-1', 2)
    expect(await converted([...overlays, ['qa', 'eu-west-1']])).toEqual([`${namespaces}, qa: qa`, zones])
    await run('check', 'fleet')
  })

  test('a value of an overlay that the base has too stays when the base gets another one, by import and render alone', async () => {
    const folder = testFolder()
    const run = toolIn(folder)
    const workload = (replicas: number, tag: string, level: string) =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\nspec:\n  replicas: ${replicas}\n  template:\n    spec:\n      containers:\n        - name: shop\n          image: shop:${tag}\n          env:\n            - name: LEVEL\n              value: ${level}\n`
    const level =
      'patches:\n  - patch: |-\n      apiVersion: apps/v1\n      kind: Deployment\n      metadata:\n        name: shop\n      spec:\n        template:\n          spec:\n            containers:\n              - name: shop\n                env:\n                  - name: LEVEL\n                    value: info\n'
    write(join(folder, 'shop'), {
      'base/kustomization.yaml': 'resources: [deployment.yaml]\n',
      'base/deployment.yaml': workload(1, '1.4', 'info'),
      'overlays/staging/kustomization.yaml':
        'resources: [../../base]\nreplicas:\n  - name: shop\n    count: 1\nimages:\n  - name: shop\n    newTag: "1.4"\n',
      'overlays/prod/kustomization.yaml': `resources: [../../base]\n${level}`,
    })
    await run('convert', 'kustomize', 'shop', '--out', 'fleet', '--allow-exec')
    write(join(folder, 'shop'), { 'base/deployment.yaml': workload(2, '1.5', 'debug') })
    await expectBroughtByImport(folder)
  })

  test('an object that is new in the base gets what overlays write into all objects, by import and render alone', async () => {
    const folder = testFolder()
    const run = toolIn(folder)
    const all = (env: string) =>
      `resources: [../../base]\nnamespace: ${env}\nlabels:\n  - pairs:\n      env: ${env}\n      example.com/env: ${env}\ncommonAnnotations:\n  sync: late\n`
    const object = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  annotations:\n    sync: late\n`
    write(join(folder, 'shop'), {
      'base/kustomization.yaml': 'resources: [a.yaml, b.yaml]\n',
      'base/a.yaml': object('a'),
      'base/b.yaml': object('b'),
      ...Object.fromEntries(OVERLAYS.map((overlay) => [`overlays/${overlay}/kustomization.yaml`, all(overlay)])),
    })
    await run('convert', 'kustomize', 'shop', '--out', 'fleet', '--allow-exec')
    write(join(folder, 'shop'), {
      'base/kustomization.yaml': 'resources: [a.yaml, b.yaml, c.yaml]\n',
      'base/c.yaml': object('c').replace('  annotations:\n    sync: late\n', ''),
    })
    await expectBroughtByImport(folder)
  })
})
