import fs, { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const CASE = fileURLToPath(new URL('../../testdata/cli/check/input', import.meta.url))

let folder = ''
beforeEach(() => {
  folder = testFolder()
  cpSync(CASE, join(folder, 'input'), { recursive: true })
})

function read(path: string): string {
  return readFileSync(join(folder, 'input', path), 'utf8')
}

test('--fix writes what means the same, shows it, and leaves the rest; a second run writes nothing', async () => {
  const before = read('providers.yaml')
  const { stdout, exitCode } = await recordRun(folder, ['check', '--fix', 'input'])
  expect(exitCode).toBe(1)
  expect(read('sets/tills.yaml')).toMatchInlineSnapshot(`
    "# Fleet of the tills.
    apiVersion: config.porch.kpt.dev/v1alpha2
    kind: PackageVariantSet
    metadata: {name: tills, namespace: shop}
    spec:
      upstream: {repo: catalog, package: till, revision: 2}
      targets:
        - repositories:
            - name: north
              packageName: till
          template:
            deletionPolicy: Orphan
            labelExprs:
              - key: zone
                valueExpr: repository.label.zone
            annotations: {paid: "yes", count: "3"}
    "
  `)
  expect(read('providers.yaml')).toBe(before)
  expect(stdout.slice(0, stdout.indexOf('finding'))).toMatchInlineSnapshot(`
    "--- a/input/sets/tills.yaml
    +++ b/input/sets/tills.yaml
    @@ -3,7 +3,7 @@
     kind: PackageVariantSet
     metadata: {name: tills, namespace: shop}
     spec:
    -  upstream: {repo: catalog, package: till, revision: v2}
    +  upstream: {repo: catalog, package: till, revision: 2}
       targets:
         - repositories:
             - name: north
    @@ -11,6 +11,6 @@
           template:
             deletionPolicy: Orphan
             labelExprs:
    -          key: zone
    -          valueExpr: repository.label.zone
    -        annotations: {paid: yes, count: 3}
    +          - key: zone
    +            valueExpr: repository.label.zone
    +        annotations: {paid: "yes", count: "3"}
    4 "
  `)
  expect(stdout).toMatch(/\d+ errors?, .*0 can be fixed with --fix, \d with --unsafe-fixes\n$/)
  const fixed = read('sets/tills.yaml')
  expect((await recordRun(folder, ['check', '--fix', 'input'])).stdout).toContain('0 findings fixed in 0 files\n')
  expect(read('sets/tills.yaml')).toBe(fixed)
})

test('--unsafe-fixes writes what is only likely, too', async () => {
  const { stdout } = await recordRun(folder, ['check', '--unsafe-fixes', 'input'])
  expect(read('sets/tills.yaml')).toContain('deletionPolicy: orphan\n')
  expect(read('providers.yaml')).toContain('package: xpkg.crossplane.io/crossplane-contrib/provider-helm@sha256:1111')
  expect(stdout).toContain('0 can be fixed with --fix\n')
})

test('what is for programs stays whole: the diff goes to stderr', async () => {
  const { stdout, stderr } = await recordRun(folder, ['check', '--fix', '--format', 'json', 'input'])
  expect(JSON.parse(stdout)).toMatchObject({ formatVersion: 1, counts: { safe: 0 } })
  expect(stderr).toContain('+++ b/input/sets/tills.yaml\n')
})

test('--fix --target porch writes the workspace beside the revision, and keeps comments', async () => {
  const fleet = fileURLToPath(new URL('../../testdata/cli/check-target-porch/input', import.meta.url))
  cpSync(fleet, join(folder, 'input/porch'), { recursive: true })
  await recordRun(folder, ['check', '--fix', '--target', 'porch', 'input/porch'])
  expect(read('porch/set.yaml')).toContain(
    '  upstream: # the workspace of revision 3 is known\n    repo: catalog\n    package: web\n    revision: 3\n    workspaceName: initial\n  targets:',
  )
  expect(read('porch/variant.yaml')).not.toContain('workspaceName')
  expect(read('porch/options.yaml')).toContain('  annotations:\n    config.kubernetes.io/local-config: "true"\n')
  const { stdout } = await recordRun(folder, ['check', '--target', 'porch', 'input/porch'])
  expect(stdout).not.toContain('porch-needs-workspace')
})

test('--unsafe-fixes --target porch writes the guessed workspace of a package without a PackageRevision', async () => {
  const fleet = fileURLToPath(new URL('../../testdata/cli/check-target-porch/input', import.meta.url))
  cpSync(fleet, join(folder, 'input/porch'), { recursive: true })
  await recordRun(folder, ['check', '--unsafe-fixes', '--target', 'porch', 'input/porch'])
  expect(read('porch/variant.yaml')).toContain('    revision: 2\n    workspaceName: v2\n')
})

test('--fix --target porch writes the workspace of the revision in place of another', async () => {
  const fleet = fileURLToPath(new URL('../../testdata/cli/check-target-porch-other-workspace/input', import.meta.url))
  cpSync(fleet, join(folder, 'input/porch'), { recursive: true })
  await recordRun(folder, ['check', '--fix', '--target', 'porch', 'input/porch'])
  expect(read('porch/fleet.yaml')).toContain('    revision: 4 # raised in October\n    workspaceName: fourth\n')
})

test.each(['', '-current', '-unclear'])(
  '--fix converts a set of v1alpha1 with its comments, or leaves it to people: check-older-set%s',
  async (name) => {
    const fleet = fileURLToPath(new URL(`../../testdata/cli/check-older-set${name}/input`, import.meta.url))
    cpSync(fleet, join(folder, 'input/old'), { recursive: true })
    const before = read('old/set.yaml')
    await recordRun(folder, ['check', '--fix', 'input/old'])
    const after = read('old/set.yaml')
    if (name === '-unclear') expect(after).toBe(before)
    else expect(after).toMatchSnapshot()
    await recordRun(folder, ['check', '--fix', 'input/old'])
    expect(read('old/set.yaml')).toBe(after)
  },
)

test('a set of v1alpha1 whose comment would be lost is left to people', async () => {
  const path = 'old/set.yaml'
  cpSync(fileURLToPath(new URL('../../testdata/cli/check-older-set/input', import.meta.url)), join(folder, 'input/old'), {
    recursive: true,
  })
  const text = read(path).replace('\nspec:', '\n"spec":')
  writeFileSync(join(folder, 'input', path), text)
  const { stdout } = await recordRun(folder, ['check', '--fix', 'input/old'])
  expect(read(path)).toBe(text)
  expect(stdout).toContain('convert it by hand, so that no comment is lost [older-api-version]')
})

test('--unsafe-fixes renames misspelt keys, and fixes what that brings to light; a second run writes nothing', async () => {
  writeFileSync(
    join(folder, 'input/sets/tills.yaml'),
    `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: tills, namespace: shop}
spec:
  upstrem: {repo: catalog, pakage: till, revision: 2} # of the catalog
  targets:
  - # the north
    repositories:
    - name: north
      packageName: till # one of them
      packageNames: []
    template:
      labelExpr:
      - key: zone
        'valueExp': target.name
`,
  )
  const { stdout } = await recordRun(folder, ['check', '--unsafe-fixes', 'input'])
  expect(read('sets/tills.yaml')).toMatchInlineSnapshot(`
    "apiVersion: config.porch.kpt.dev/v1alpha2
    kind: PackageVariantSet
    metadata: {name: tills, namespace: shop}
    spec:
      upstream: {repo: catalog, package: till, revision: 2} # of the catalog
      targets:
      - # the north
        repositories:
        - name: north
          packageName: till # one of them
          packageNames: []
        template:
          labelExprs:
          - key: zone
            'valueExpr': target.name
    "
  `)
  expect(stdout).toMatch(/^\d+ findings fixed in \d files$/m)
  const { stdout: second } = await recordRun(folder, ['check', '--unsafe-fixes', 'input'])
  expect(second).toContain('0 findings fixed in 0 files\n')
  expect(second).toContain("`spec.targets[0].repositories[0].packageName` is not a field of repositories[]; did you mean 'packageNames'?")
})

test('faults of the options of render hide no other fault, and --unsafe-fixes writes both', async () => {
  await recordRun(folder, ['init', 'shops'])
  const edit = (path: string, before: string, after: string) => {
    const place = join(folder, 'shops/fleet', path)
    writeFileSync(place, readFileSync(place, 'utf8').replace(before, after))
  }
  edit('render.yaml', '  out:', '  ot:')
  edit('hello.yaml', 'repositorySelector', 'repositorySelecter')
  const { stdout } = await recordRun(folder, ['check', 'shops'])
  expect(stdout).toContain('shops/fleet/render.yaml:9:3: error: `spec.ot` is not a field of spec')
  expect(stdout).toContain('shops/fleet/hello.yaml:12:7: error: `spec.targets[0].repositorySelecter` is not a field')
  expect(await recordRun(folder, ['check', '--unsafe-fixes', 'shops'])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('2 findings fixed in 2 files'),
  })
  for (const name of ['one', 'two'])
    writeFileSync(
      join(folder, `shops/${name}.yaml`),
      `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: CheckDependencies\nmetadata: {name: ${name}}\n`,
    )
  edit('hello.yaml', 'repositorySelector', 'repositorySelecter')
  const twice = (await recordRun(folder, ['check', 'shops'])).stdout
  expect(twice).toContain("must not be 'CheckDependencies' twice")
  expect(twice).toContain('hello.yaml:12:7: error: `spec.targets[0].repositorySelecter`')
})

test('--fix shows nothing that the operating system then refuses to write', async () => {
  const [before, rename] = [read('sets/tills.yaml'), fs.renameSync]
  fs.renameSync = () => {
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
  }
  syncBuiltinESMExports()
  try {
    const { stdout, stderr, exitCode } = await recordRun(folder, ['check', '--fix', 'input'])
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
    expect(stderr).toContain('nothing was changed')
  } finally {
    fs.renameSync = rename
    syncBuiltinESMExports()
  }
  expect(read('sets/tills.yaml')).toBe(before)
})
