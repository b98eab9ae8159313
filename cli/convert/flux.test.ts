import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestFolder } from '../../testdata/cli/test-folder.ts'

/** Prints the file `built` of a folder, with the namespace and the patches of its kustomization: enough of kustomize for these tests. */
const PROGRAM = `#!/bin/sh
name=$(sed -n 's/^namespace: //p' "$2/kustomization.yaml")
patched=$(grep -c 'replace: me' "$2/kustomization.yaml")
sed -e "s/namespace: .*/namespace: \${name:-none}/" -e "s/patched: .*/patched: '$patched'/" "$2/built"
`

const map = (name: string, data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: none\ndata:\n  patched: '0'\n${data}`

const kustomization = (name: string, spec: string) =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: ${name}\n  namespace: flux-system\nspec:\n  sourceRef: {kind: GitRepository, name: flux-system}\n${spec}`

/** A repository in which Flux deploys one folder into two clusters, and an overlay into one of them. */
class FluxTestFolder extends TestFolder {
  constructor() {
    super()
    writeFileSync(join(this.folder, 'kustomize'), PROGRAM, { mode: 0o755 })
    this.write('repo/shop/kustomization.yaml', 'resources: []\n')
    this.write('repo/shop/built', map('shop', '  host: shop.${cluster}.example.com\n  size: "${size:-small}"\n  level: info\n'))
    this.write('repo/dns/base/kustomization.yaml', 'resources: []\n')
    this.write('repo/dns/base/built', map('dns', '  zone: none\n'))
    this.write('repo/dns/prod/kustomization.yaml', 'resources: [../base]\n')
    this.write('repo/dns/prod/built', map('dns', '  zone: prod\n'))
    for (const cluster of ['prod', 'test']) {
      const source = 'apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: flux-system, namespace: flux-system}\n'
      this.write(
        `repo/clusters/${cluster}/flux-system/gotk-sync.yaml`,
        `${source}---\n${kustomization('flux-system', `  path: ./clusters/${cluster}\n`)}`,
      )
      this.write(
        `repo/clusters/${cluster}/shop.yaml`,
        kustomization(
          'shop',
          `  path: ./shop\n  targetNamespace: shop-${cluster}\n  postBuild:\n    substitute:\n      cluster: ${cluster}\n${cluster === 'prod' ? '      size: large\n' : ''}`,
        ),
      )
    }
    this.write(
      'repo/clusters/prod/dns.yaml',
      kustomization('dns', '  path: ./dns/prod\n  patches:\n    - patch: "replace: me"\n      target: {kind: ConfigMap}\n'),
    )
  }

  convert() {
    return this.run('convert', 'kustomize', 'repo', '--out', 'fleet', '--allow-exec', '--kustomize-binary', join(this.folder, 'kustomize'))
  }
}

test('the folder of a cluster becomes a cluster with the objects that Flux applies there', async () => {
  const folder = new FluxTestFolder()
  const { stdout, stderr, exitCode } = await folder.convert()
  expect({ stderr, exitCode }).toEqual({ stderr: expect.stringMatching(/^\d+ files written to fleet\n$/), exitCode: 0 })
  expect(stdout).toMatch(/^clusters\/prod → clusters\/prod: equal, 2 objects\n[\s\S]*^clusters\/test → clusters\/test: equal, 1 object\n/m)
  expect(stdout).not.toContain('edit:')
  const shop = (cluster: string) => folder.read(`fleet/clusters/${cluster}/shop/configmap-shop.yaml`).replaceAll(/ +#.*/g, '')
  expect(shop('prod')).toMatch(/namespace: shop-prod\n[\s\S]*host: shop.prod.example.com\n {2}size: "?large"?\n/)
  expect(shop('test')).toMatch(/namespace: shop-test\n[\s\S]*host: shop.test.example.com\n {2}size: "?small"?\n/)
  expect(folder.read('fleet/clusters/prod/dns/configmap-dns.yaml')).toMatch(/patched: '1'/)
})

test('a later conversion brings a changed variable, and changes nothing without a change', async () => {
  const folder = new FluxTestFolder()
  await folder.convert()
  expect((await folder.convert()).stderr).toBe('nothing to do: the fleet is as the tree\n')
  const file = 'repo/clusters/prod/shop.yaml'
  folder.write(file, folder.read(file).replace('size: large', 'size: huge'))
  const { stdout, exitCode } = await folder.convert()
  expect({ stdout, exitCode }).toEqual({ stdout: expect.stringContaining('size large → huge'), exitCode: 0 })
})

test('what is not carried over is named with its place', async () => {
  const folder = new FluxTestFolder()
  folder.write('repo/clusters/prod/more.yaml', kustomization('more', '  path: ./more\n'))
  folder.write('repo/clusters/test/dns.yaml', kustomization('dns', '  path: ./dns/base\n  images:\n    - name: dns\n      newTag: v2\n'))
  folder.write(
    'repo/clusters/test/web.yaml',
    'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: web\nspec:\n  values: {replicas: 2}\n',
  )
  folder.write('repo/clusters/test/namespace.yaml', '# Ours.\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: web\n')
  folder.write('repo/shop/built', map('shop', '  host: ${cluster^^}\n'))
  const { stderr, exitCode } = await folder.convert()
  expect(stderr.split('\n').slice(0, -2)).toEqual([
    "repo/clusters/prod/more.yaml:8:9: Kustomization flux-system/more is not followed: its `spec.path` 'more' has no kustomization.yaml in the tree",
    'repo/clusters/test/dns.yaml:9:3: Kustomization flux-system/dns `spec.images` is not carried over: the objects keep their images',
    'repo/clusters/test/namespace.yaml:2:1: Namespace web is in no kustomization, so no cluster gets it: Flux applies it from the folder of the cluster',
    'repo/clusters/prod/shop.yaml:11:5: Kustomization flux-system/shop leaves ${cluster^^} in the objects: convert follows ${NAME} and ${NAME:-default}, with values of `substitute`',
    'repo/clusters/test/shop.yaml:11:5: Kustomization flux-system/shop leaves ${cluster^^} in the objects: convert follows ${NAME} and ${NAME:-default}, with values of `substitute`',
    'repo/clusters/test/web.yaml:1:1: HelmRelease web is in no overlay, so no cluster gets it',
  ])
  expect(exitCode).toBe(0)
})

test('a tree without an overlay says why the first Kustomization is not followed', async () => {
  const folder = new TestFolder()
  folder.write('repo/shop/kustomization.yaml', 'resources: []\n')
  folder.write('repo/hub/shop.yaml', kustomization('shop', '  path: ./shop\n  kubeConfig: {secretRef: {name: eu}}\n'))
  const { stderr, exitCode } = await folder.run('convert', 'kustomize', 'repo', '--out', 'fleet', '--allow-exec')
  expect({ stderr, exitCode }).toEqual({
    stderr:
      "krm-variants: 'repo' has no overlay: no kustomization names a folder outside of its own; repo/hub/shop.yaml:9:3: Kustomization flux-system/shop is not followed: its `spec.kubeConfig` is another cluster\n",
    exitCode: 1,
  })
})
