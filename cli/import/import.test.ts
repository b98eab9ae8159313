import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { TestFolder } from '../../testdata/cli/test-folder.ts'
import { operatorRelease, RELEASES } from './testing/operator-release.ts'
import { WEB } from './testing/web-deployment.ts'

test('a second import of the same input changes nothing, and a file is never overwritten', async () => {
  const folder = new TestFolder()
  folder.write('web.yaml', WEB)
  expect(await folder.run('import', '--manifest', 'web.yaml', '--as', 'catalog/web')).toMatchObject({
    stdout: '+ catalog/web@v1: 1 object in 2 files\n',
    exitCode: 0,
  })
  const again = await folder.run('import', '--manifest', 'web.yaml', '--as', 'catalog/web')
  expect(again).toEqual({ stdout: '', stderr: 'nothing to do: catalog/web@v1 is this import\n', exitCode: 0 })
  expect(await folder.run('import', '--manifest', 'web.yaml', '--as', 'catalog/web@v1')).toEqual(again)
  expect(readdirSync(join(folder.folder, 'catalog'))).toEqual(['web@v1'])
})

test('the same import with the same setters changes nothing, and a further setter makes the next revision', async () => {
  const folder = new TestFolder()
  folder.write('web.yaml', WEB)
  const [replicas, image] = ['replicas=spec.replicas@Deployment/web', 'image=spec.template.spec.containers[web].image@Deployment/web']
  const run = (as: string, ...setters: readonly string[]) =>
    folder.run('import', '--manifest', 'web.yaml', '--as', as, '--setters', ...setters)
  expect(await run('catalog/web', replicas)).toMatchObject({ stdout: '+ catalog/web@v1: 1 object in 2 files\n', exitCode: 0 })
  for (const as of ['catalog/web', 'catalog/web@v1'])
    expect(await run(as, replicas)).toEqual({ stdout: '', stderr: 'nothing to do: catalog/web@v1 is this import\n', exitCode: 0 })
  expect(await run('catalog/web', replicas, image)).toMatchObject({ exitCode: 0 })
  expect(folder.read('catalog/web@v2/deployment-web.yaml')).toMatch(
    /replicas: 1 # kpt-set: \$\{replicas\}[\s\S]*nginx:1.29 # kpt-set: \$\{image\}/,
  )
  expect(await run('catalog/web', 'other=spec.none@Deployment/web')).toMatchObject({ stdout: '', exitCode: 1 })
})

test('- is the manifest on stdin, which may be given once', async () => {
  const folder = new TestFolder()
  const run = (...words: readonly string[]) =>
    recordRun(folder.folder, ['import', '--manifest', ...words, '--as', 'catalog/web'], { read: async () => WEB })
  expect(await run('-')).toMatchObject({ stdout: '+ catalog/web@v1: 1 object in 2 files\n', exitCode: 0 })
  const kptfile = folder.read('catalog/web@v1/Kptfile')
  expect(kptfile).toContain('"name":"stdin"')
  expect(kptfile).toContain('krm-variants import --manifest - --as catalog/web')
  folder.write('web.yaml', WEB)
  expect(await folder.run('import', '--manifest', 'web.yaml', '--as', 'catalog/web')).toMatchObject({ exitCode: 0 })
  expect(await run('-', '-')).toMatchObject({ stderr: 'krm-variants: `--manifest` must name stdin, -, once\n', exitCode: 1 })
})

test('a manifest that is a folder or a pipe, or larger than any input, is refused before it is read', async () => {
  const folder = new TestFolder()
  folder.write('folder/web.yaml', WEB)
  folder.write('large', '')
  truncateSync(join(folder.folder, 'large'), 256 * 1024 * 1024 + 1)
  execFileSync('mkfifo', [join(folder.folder, 'pipe')])
  const faultOf = async (file: string) => (await folder.run('import', '--manifest', file, '--as', 'catalog/web')).stderr
  expect(await faultOf('folder')).toBe("krm-variants: `--manifest` must name a file, 'folder' is a folder\n")
  expect(await faultOf('pipe')).toBe("krm-variants: `--manifest` must name a file, 'pipe' is a pipe, a socket or a device\n")
  expect(await faultOf('large')).toBe("krm-variants: `--manifest` must name a file of at most 268435456 bytes, 'large' has 268435457\n")
})

test.each([
  { file: 'web/kustomization.yaml', fault: 'is that of a kustomization: --kustomize web --allow-exec takes its folder' },
  { file: 'my web/Chart.yaml', fault: "is that of a chart: --helm 'my web' --allow-exec takes its folder" },
])('the manifest $file is answered with the option for its folder', async ({ file, fault }) => {
  const folder = new TestFolder()
  folder.write(file, 'a: 1\n')
  expect(await folder.run('import', '--manifest', file, '--as', 'catalog/web')).toMatchObject({
    stderr: `krm-variants: \`--manifest\` must name a file with objects, '${file}' ${fault}\n`,
    exitCode: 1,
  })
})

test('a fault of the manifest on stdin has its line', async () => {
  const folder = new TestFolder()
  const read = async () => 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\njust a text\n'
  const { stderr, exitCode } = await recordRun(folder.folder, ['import', '--manifest', '-', '--as', 'catalog/web'], { read })
  expect({ stderr, exitCode }).toEqual({ stderr: expect.stringMatching(/^stdin:5:1: error: must hold objects alone/), exitCode: 1 })
})

test('the next revision keeps setters, the Kptfile, and files and local objects of people, also where a container moved', async () => {
  const folder = new TestFolder()
  folder.write('web.yaml', WEB)
  await folder.run('import', '--manifest', 'web.yaml', '--as', 'catalog/web')
  const package_ = 'catalog/web@v1/deployment-web.yaml'
  folder.write(
    package_,
    folder
      .read(package_)
      .replace('nginx:1.29', 'nginx:1.29 # kpt-set: nginx:${tag}')
      .replace('replicas: 1\n', 'replicas: 1 # kpt-set: ${replicas}\n'),
  )
  folder.write(
    'catalog/web@v1/Kptfile',
    `${folder.read('catalog/web@v1/Kptfile')}pipeline:\n  mutators:\n    - image: set-namespace:v0.4.1\n      configPath: ns.yaml\n`,
  )
  const local =
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ns\n  annotations:\n    config.kubernetes.io/local-config: "true"\ndata:\n  namespace: web\n'
  folder.write('catalog/web@v1/ns.yaml', local)
  folder.write('catalog/web@v1/settings.yaml', 'a: 1\n')
  folder.write('catalog/web@v1/run.sh', '#!/bin/sh\n')
  chmodSync(join(folder.folder, 'catalog/web@v1/run.sh'), 0o755)
  folder.write(
    'web.yaml',
    WEB.replace('        - name: web', '        - name: proxy\n          image: envoy:1.2\n        - name: web').replace('1.29', '1.30'),
  )
  const { stdout, stderr, exitCode } = await folder.run('import', '--manifest', 'web.yaml', '--as', 'catalog/web')
  expect({ stderr, exitCode }).toEqual({ stderr: 'krm-variants outdated lists the sets that may be raised\n', exitCode: 0 })
  expect(stdout).toContain('nginx:1.29 → nginx:1.30')
  expect(folder.read('catalog/web@v2/deployment-web.yaml')).toMatch(
    /replicas: 1 # kpt-set: \$\{replicas\}[\s\S]*image: nginx:1.30 # kpt-set: nginx:\$\{tag\}/,
  )
  expect(folder.read('catalog/web@v2/Kptfile')).toContain('configPath: ns.yaml')
  expect(folder.read('catalog/web@v2/ns.yaml')).toBe(local)
  expect(folder.read('catalog/web@v2/settings.yaml')).toBe('a: 1\n')
  expect(statSync(join(folder.folder, 'catalog/web@v2/run.sh')).mode & 0o777).toBe(0o755)
})

test('the next revision keeps the permissions of files, and names links and comments that it does not take over', async () => {
  const folder = new TestFolder()
  const text = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: ${value}\n`
  const importNext = (value: string) => {
    folder.write('m.yaml', text(value))
    return folder.run('import', '--manifest', 'm.yaml', '--as', 'catalog/web')
  }
  await importNext('v')
  const last = 'catalog/web@v1'
  folder.write(`${last}/configmap-a.yaml`, `# head\n${text('v # why')}`)
  folder.write(`${last}/n.txt`, 'n\n')
  symlinkSync('n.txt', join(folder.folder, last, 'l'))
  chmodSync(join(folder.folder, last, 'configmap-a.yaml'), 0o755)
  const { stderr, exitCode } = await importNext('w')
  expect(exitCode).toBe(0)
  expect(stderr.split('\n').slice(0, 3)).toEqual([
    `${last}/configmap-a.yaml:1:1: warning: the comment '# head' is not in the next revision [import-edited]`,
    `${last}/configmap-a.yaml:7:8: warning: the comment '# why' is not in the next revision [import-edited]`,
    `${last}/l: warning: is a symbolic link and not in the next revision [import-edited]`,
  ])
  expect(folder.read('catalog/web@v2/n.txt')).toBe('n\n')
  expect(statSync(join(folder.folder, 'catalog/web@v2/configmap-a.yaml')).mode & 0o777).toBe(0o755)
})

test('a package of others is taken with all its files, byte by byte', async () => {
  const folder = new TestFolder()
  folder.write('theirs/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: theirs\ninfo:\n  description: Theirs\n')
  folder.write('theirs/all.yaml', `---\n# licence\n---\n${WEB}...\n`)
  folder.write('theirs/README.md', 'read\n')
  expect((await folder.run('import', '--package', 'theirs', '--as', 'catalog/web')).exitCode).toBe(0)
  expect(folder.read('catalog/web@v1/all.yaml')).toBe(`---\n# licence\n---\n${WEB}...\n`)
  expect(folder.read('catalog/web@v1/Kptfile')).toMatch(/imported-from: '\{"source":"package","name":"theirs"[\s\S]*description: Theirs/)
  expect((await folder.run('import', '--package', 'theirs', '--as', 'catalog/web')).stderr).toContain('nothing to do')
})

test('a catalog that is a link out of the folder, and a link in the place of a revision, are refused', async () => {
  const folder = new TestFolder()
  folder.write('fleet/web.yaml', WEB)
  folder.write('fleet/catalog/notes.md', '')
  mkdirSync(join(folder.folder, 'elsewhere'))
  symlinkSync('../elsewhere', join(folder.folder, 'fleet/out'))
  symlinkSync('../../elsewhere', join(folder.folder, 'fleet/catalog/web@v1'))
  expect((await recordRun(join(folder.folder, 'fleet'), ['import', '--manifest', 'web.yaml', '--as', 'out/web'])).stderr).toContain(
    'must be inside of the current folder',
  )
  expect((await recordRun(join(folder.folder, 'fleet'), ['import', '--manifest', 'web.yaml', '--as', 'catalog/web'])).stderr).toContain(
    "'catalog/web@v1' is a link",
  )
  expect(readdirSync(join(folder.folder, 'elsewhere'))).toEqual([])
})

test('three releases of an operator keep their files, and merge into an edited package without a conflict', async () => {
  const folder = new TestFolder()
  await folder.run('init', '.')
  folder.write('fleet/hello.yaml', folder.read('fleet/hello.yaml').replace('package: hello\n    rev', 'package: operator\n    rev'))
  const paths: string[][] = []
  for (const [i, version] of RELEASES.entries()) {
    folder.write('operator.yaml', operatorRelease(version))
    const { stdout, stderr, exitCode } = await folder.run(
      'import',
      '--manifest',
      'operator.yaml',
      '--as',
      'catalog/operator',
      ...(i === 0 ? ['--setters', 'replicas=spec.replicas@Deployment/operator-webhook'] : []),
    )
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(stdout).toContain(`+ catalog/operator@v${i + 1}: `)
    paths.push(readdirSync(join(folder.folder, `catalog/operator@v${i + 1}`), { recursive: true, encoding: 'utf8' }).sort())
    if (i > 0) expect(stdout).toContain(`hello: v${i} → v${i + 1}, 2 packages`)
    if (i > 0) expect((await folder.run('outdated', '--write', '--no-render', '.')).exitCode).toBe(0)
    const rendered = await folder.run('render', '.')
    expect(rendered).toMatchObject({ exitCode: 0 })
    expect(rendered.stdout + rendered.stderr).not.toMatch(/conflict|edit-lost|change-passed-over|warning|error/)
    const edited = 'clusters/prod/hello/deployment-operator-controller.yaml'
    if (i === 0)
      folder.write(
        edited,
        folder.read(edited).replace('      serviceAccountName:', '      nodeSelector:\n        pool: system\n      serviceAccountName:'),
      )
    expect(folder.read(edited)).toContain(`operator-controller:${version}`)
    expect(folder.read(edited)).toContain('pool: system')
    expect(folder.read('clusters/prod/hello/deployment-operator-webhook.yaml')).toContain('replicas: 3 # kpt-set: ${replicas}')
  }
  const [first = [], second = [], third = []] = paths
  expect(first.filter((path) => !second.includes(path))).toEqual([])
  expect(second.filter((path) => !third.includes(path))).toEqual(['service-operator-metrics.yaml'])
  expect(third.filter((path) => !first.includes(path))).toEqual(['networkpolicy-operator.yaml'])
  expect(existsSync(join(folder.folder, 'clusters/prod/hello/service-operator-metrics.yaml'))).toBe(false)
})

test('what a program says of its input is shown without what may be secret in the files that it read', async () => {
  const folder = new TestFolder()
  const says = (program: string, text: string) => {
    folder.write(program, `#!/bin/sh\necho 'Error: ${text}' >&2\nexit 1\n`)
    chmodSync(join(folder.folder, program), 0o755)
  }
  folder.write('web/kustomization.yaml', 'secretGenerator:\n- name: db-login\n  literals: [password=zq7-literal]\n  envs: [db.env]\n')
  folder.write('web/db.env', 'DB_PASSWORD=zq7-variable\n')
  folder.write('web/secret.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n  user: zq7-value\n---\nkind: Other\n')
  folder.write('web/broken.yaml', 'kind: Secret\nstringData: {\n  user: zq7-broken\n')
  says('kustomize', `${'long '.repeat(118)}zq7-literal password=zq7-literal zq7-variable zq7-value zq7-broken db-login db.env`)
  const built = ['import', '--kustomize', 'web', '--kustomize-binary', './kustomize', '--allow-exec', '--as', 'catalog/web']
  const kustomize = await folder.run(...built)
  expect([kustomize.exitCode, kustomize.stderr]).toEqual([1, expect.not.stringContaining('zq7')])
  says('kustomize', 'zq7-literal db-login db.env')
  expect((await folder.run(...built)).stderr).toBe(
    "krm-variants: web/kustomization.yaml:1:1: kustomize cannot build 'web': not-shown db-login db.env\n",
  )
  folder.write('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 1.0.0\n')
  folder.write('chart/values.yaml', 'db: {password: zq7-default, host: db.example.com}\n')
  folder.write('chart/templates/a.yaml', 'key: {{ .Values.db.host }}\n')
  says('helm', 'zq7-default at db.example.com is too short')
  const helm = await folder.run('import', '--helm', 'chart', '--helm-binary', './helm', '--allow-exec', '--as', 'catalog/chart')
  expect(helm.stderr).toBe("krm-variants: helm cannot render the chart 'chart': not-shown at db.example.com is too short\n")
})

test.each(['manifest', 'package'])(
  'a faulty file that .krmignore names stays in the next revision of a --%s, and stops no import',
  async (source) => {
    const folder = new TestFolder()
    const faulty = { 'notes.yaml': 'a: [\n', '.krmignore': 'notes.yaml\n' }
    folder.write('theirs/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n')
    folder.write('theirs/web.yaml', WEB)
    const run = () => folder.run('import', `--${source}`, source === 'manifest' ? 'theirs/web.yaml' : 'theirs', '--as', 'catalog/web')
    if (source === 'manifest') await run()
    for (const [path, text] of Object.entries(faulty)) folder.write(`${source === 'manifest' ? 'catalog/web@v1' : 'theirs'}/${path}`, text)
    folder.write('theirs/web.yaml', WEB.replace('1.29', '1.30'))
    expect(await run()).toMatchObject({ stderr: expect.not.stringContaining('error'), exitCode: 0 })
    const revision = `catalog/web@${source === 'manifest' ? 'v2' : 'v1'}`
    for (const [path, text] of Object.entries(faulty)) expect(folder.read(`${revision}/${path}`)).toBe(text)
  },
)
