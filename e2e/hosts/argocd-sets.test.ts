import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { type Application, ARGOCD_SETS, askArgoCD, byName, digestOf, pathOf } from '../../testdata/argocd-sets/answers.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { bundlePath, ROOT, runProgram } from '../run-program.ts'
import { HELM } from './present-hosts.ts'

// The Applications of a fleet are those that Argo CD's own generators make of its ApplicationSets. The program with the generators has
// 1,600 packages of Go, so its answers are recorded; ARGOCD_SETS names the program, which is asked again then:
//   go build -C e2e/hosts/argocd-sets -o /tmp/argocd-sets .
//   ARGOCD_SETS=/tmp/argocd-sets npm run hosts -- argocd-sets -u

const OWN = join(ROOT, 'testdata/argocd-sets')
const PUBLIC = join(ROOT, '../shared/gitops/applicationsets')

/** Makes a folder a git checkout. */
function checkout(root: string): string {
  spawnSync('git', ['init', '--quiet', root])
  spawnSync('git', ['-C', root, 'add', '--all'])
  return root
}

test.skipIf(ARGOCD_SETS === undefined)('the recorded answers are those of Argo CD', async () => {
  const root = testFolder()
  cpSync(join(OWN, 'folder'), root, { recursive: true })
  checkout(root)
  const secrets = readdirSync(join(root, 'clusters')).map((file) => parse(readFileSync(join(root, 'clusters', file), 'utf8')))
  const sets = parseAllDocuments(readFileSync(join(OWN, 'sets.yaml'), 'utf8')).map((document) => document.toJS())
  const answers = sets.map((set) => [set.metadata.name, askArgoCD(ARGOCD_SETS ?? '', root, set, secrets)] as const)
  expect(answers.filter(([, { error }]) => error !== '')).toEqual([])
  await expect(`${JSON.stringify(Object.fromEntries(answers), undefined, 2)}\n`).toMatchFileSnapshot(join(OWN, 'answers.json'))
})

/** The public sets that convert refuses, and the field that it names. */
const REFUSED: Readonly<Record<string, string>> = {
  'cluster-decision-resource': 'spec.generators[0].clusterDecisionResource` asks a service',
  'clusters-fleet-addons-bridge': 'spec.template.spec.sources[0].ref` names values of another source',
  'clusters-hub-spoke-addons': "spec.template.metadata.name` must give each Application a name of its own, got 'cluster-addons' 3 times",
  'clusters-selector-values': 'spec.template.spec.source.chart` is a chart of a repository',
  'git-directories-cluster-config': "spec.template.spec.source.path` must have only a-z, 0-9, '-', '.' and '/'",
  'git-directories-exclude': 'spec.template.spec.source.path` must give a text, got a map or list',
  'matrix-clusters-git-directories-teams': 'spec.template.spec.sources[0].ref` names values of another source',
  'matrix-clusters-list-network-functions': 'spec.template.spec.health` is no field that convert reads',
  'matrix-list-list': "spec.template.spec.source.path` must name a parameter of the generator, got '.path'",
  'merge-three-clusters-addons': 'spec.template.spec.sources[0].ref` names values of another source',
  'merge-three-clusters-gotemplate': 'spec.template.spec.sources[0].ref` names values of another source',
}

/** Path and digest of each Application of the public sets, as Argo CD generates them. */
type Recorded = Readonly<Record<string, Readonly<Record<string, { readonly path: string; readonly digest: string }>>>>
const RECORD = join(OWN, 'public-answers.json')
const recorded: Recorded = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {}

const MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map\ndata:\n  a: b\n'

/** Returns annotations of clusters that give a set what it asks of them: the address, revision and folders of one repository. */
function annotationsOf(set: string): Readonly<Record<string, string>> {
  const url = /https:\/\/github[^\s'"]*/.exec(set)?.[0] ?? 'https://git.example.com/fleet.git'
  const ends: Readonly<Record<string, string>> = { url, revision: 'HEAD', basepath: 'base/', path: 'tree' }
  return Object.fromEntries(
    [...set.matchAll(/metadata\.annotations\.(\w+)/g)].map(([, key = '']) => [key, ends[key.split('_').at(-1) ?? ''] ?? key]),
  )
}

/** Returns the Secrets of three clusters with all labels that the sets choose by. */
function secretsFor(set: string): readonly object[] {
  const annotations = annotationsOf(set)
  const all = { tenant: 'one', workloads: 'true', region: 'eu', enable_argocd: 'true', enable_aws_ingress_nginx: 'true' }
  const nephio = { 'nephio.org/type': 'workload', 'nephio.org/ready': 'true' }
  const more: readonly (readonly [string, object])[] = [
    ['dev', { environment: 'dev', fleet_member: 'control-plane' }],
    ['kflux-ocp-p01', { environment: 'staging', fleet_member: 'spoke', 'use-kafka': 'false' }],
    ['stone-prod-p01', { environment: 'prod' }],
  ]
  return more.map(([name, own]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace: 'argocd',
      labels: { 'argocd.argoproj.io/secret-type': 'cluster', ...all, ...nephio, ...own },
      annotations,
    },
    stringData: { name, server: `https://${name}.example.com` },
  }))
}

/** Returns the files that the git generators of a set look for: two matches of each pattern. */
function generatorFiles(set: string): readonly (readonly [string, string])[] {
  const annotations = annotationsOf(set)
  const url = /https:\/\/github[^\s'"]*/.exec(set)?.[0] ?? ''
  return [...set.matchAll(/- (?:exclude: true\n\s*)?path: *['"]?([^'"\n]*[*X][^'"\n]*)['"]?/g)].flatMap(([, asked = '']) =>
    ['one', 'two'].map((name): readonly [string, string] => {
      const pattern = asked.trim().replaceAll(/\{\{\s*\.?metadata\.annotations\.(\w+)\s*\}\}/g, (_, key: string) => annotations[key] ?? '')
      const path = pattern.replaceAll('**', `${name}/deep`).replaceAll('*', name)
      if (!path.endsWith('.json') && !path.includes('members')) return [`${path}/map.yaml`, MAP]
      const kind = path.includes('_dir') ? 'folder' : 'file'
      const fleet = {
        clusterName: name,
        tenant: 'one',
        environment: 'dev',
        secretManagerSecretName: 's',
        cluster: { name: `c.${name}`, size: 3 },
      }
      const app = { appName: name, userGivenName: `${name}-${kind}`, destNamespace: name, destServer: 'https://kubernetes.default.svc' }
      const source = { srcPath: `src/${name}-${kind}`, srcRepoURL: url, srcTargetRevision: '', exclude: 'x.yaml', include: '*.yaml' }
      return [path.endsWith('.json') ? path : `${path}.yaml`, `${JSON.stringify({ ...fleet, ...app, ...source })}\n`]
    }),
  )
}

/** Returns the files of the source of an Application: a chart if the set has values for one, else a manifest. */
function sourceFiles(root: string, path: string, set: string): readonly (readonly [string, string])[] {
  if (existsSync(join(root, path, 'map.yaml'))) return []
  if (!set.includes('helm:')) return [[`${path}/map.yaml`, MAP]]
  return [
    [`${path}/Chart.yaml`, 'apiVersion: v2\nname: chart\nversion: 1.0.0\n'],
    [`${path}/templates/map.yaml`, MAP.replace('a: b', 'a: {{ .Values | toJson | quote }}')],
  ]
}

describe.skipIf(!existsSync(PUBLIC))('public ApplicationSets', () => {
  const made: Record<string, Recorded[string]> = {}
  const names = existsSync(PUBLIC) ? readdirSync(PUBLIC).map((file) => file.replace('.yaml', '')) : []

  test.skipIf(!HELM.present).each(names.toSorted())('%s: equal to the Applications of Argo CD, or refused by field', async (name) => {
    const file = join(PUBLIC, `${name}.yaml`)
    const set = readFileSync(file, 'utf8')
    const root = testFolder()
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    const secrets = secretsFor(set)
    write('clusters.yaml', secrets.map((each) => `${JSON.stringify(each)}\n`).join('---\n'))
    for (const [path, text] of generatorFiles(set)) write(path, text)
    checkout(root)
    const documents = parseAllDocuments(set).map((document) => document.toJS())
    const asked = documents.find((each) => each?.kind === 'ApplicationSet')
    if (ARGOCD_SETS !== undefined && REFUSED[name] === undefined) {
      const { applications, error } = askArgoCD(ARGOCD_SETS, root, asked, secrets)
      expect(error).toBe('')
      made[name] = answersOf(applications)
    }
    const wanted = made[name] ?? recorded[name] ?? {}
    for (const [path, text] of Object.values(wanted).flatMap(({ path }) => sourceFiles(root, path, set))) write(path, text)
    const args = ['convert', 'applicationset', file, '--repo', root, '--out', join(root, 'fleet'), '--allow-exec']
    const { stderr, exitCode } = await runProgram(bundlePath('krm-variants'), args)
    if (REFUSED[name] !== undefined) {
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(REFUSED[name]) })
      expect(existsSync(join(root, 'fleet'))).toBe(false)
      return
    }
    expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' })
    const folder = join(root, 'fleet/fleet/argocd')
    const applications: readonly Application[] = readdirSync(folder).map((each) => parse(readFileSync(join(folder, each), 'utf8')))
    expect(answersOf(applications.toSorted(byName))).toEqual(wanted)
    expect(applications.length).toBeGreaterThan(0)
  })

  test.skipIf(ARGOCD_SETS === undefined || !HELM.present)('the recorded answers of the public sets are those of Argo CD', async () => {
    await expect(`${JSON.stringify(made, undefined, 2)}\n`).toMatchFileSnapshot(RECORD)
  })
})

function answersOf(applications: readonly Application[]): Recorded[string] {
  return Object.fromEntries(applications.map((each) => [each.metadata.name, { path: pathOf(each), digest: digestOf(each) }]))
}
