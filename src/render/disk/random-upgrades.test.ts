import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomRuns } from '../../../testdata/random-runs.ts'
import { catalogFunctions, type TestFiles, TestFleet } from '../../../testdata/test-fleet.ts'
import { finish } from '../../progress.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { collectFaults, formatResult, type Result } from '../../result.ts'
import { renderToFolder } from './render-to-folder.ts'

/** The places of a resource at which a comment may stand. */
const PLACES = [
  'separator',
  'head',
  'behind kind',
  'above metadata',
  'above data',
  'above k',
  'behind k',
  'above l',
  'behind l',
  'foot',
] as const
type Place = (typeof PLACES)[number]

interface Resource {
  readonly values: { readonly k: number | undefined; readonly l: number | undefined }
  /** The sides whose comments stand at the places. */
  readonly comments: Readonly<Partial<Record<Place, string>>>
}

/** The layout of a file: its line ends, a mark at its start, a separator before its first resource, a line feed at its end. */
interface Layout {
  readonly crlf: boolean
  readonly bom: boolean
  readonly separator: boolean
  readonly isOpen: boolean
  readonly indent: 0 | 2
}

interface RandomFile {
  readonly resources: Readonly<Record<string, Resource>>
  readonly layout: Layout
}

/** A random package: its files by path, and what it has beside them. */
interface RandomPackage {
  readonly files: Readonly<Record<string, RandomFile>>
  readonly hasSub: boolean
  readonly hasFunction: boolean
}

const YAML_FILES = ['a.yaml', 'b.yaml', 'sub/c.yaml', 'sub/deep/d.yaml']
const JSON_FILES = ['e.json', 'sub/f.json']

const rarely = fc.oneof({ weight: 7, arbitrary: fc.constant(false) }, fc.constant(true))
const layout = fc.record<Layout>({ crlf: rarely, bom: rarely, separator: rarely, isOpen: rarely, indent: fc.constantFrom<0 | 2>(0, 2) })

/** Returns random packages whose comments name a side. */
function packages(side: string): fc.Arbitrary<RandomPackage> {
  const value = fc.option(fc.nat(2), { nil: undefined })
  const comment = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.constant(side))
  const resource = fc.record({
    values: fc.record({ k: value, l: value }),
    comments: fc.record(Object.fromEntries(PLACES.map((place) => [place, comment]))),
  })
  const yaml = fc.record({ resources: fc.dictionary(fc.constantFrom('x', 'y', 'z'), resource, { minKeys: 1 }), layout })
  const json = fc.record({ resources: fc.dictionary(fc.constantFrom('x', 'y', 'z'), resource, { minKeys: 1, maxKeys: 1 }), layout })
  const files = fc
    .tuple(fc.dictionary(fc.constantFrom(...YAML_FILES), yaml), fc.dictionary(fc.constantFrom(...JSON_FILES), json))
    .map(([a, b]) => ({ ...a, ...b }))
  return fc.record({ files, hasSub: fc.boolean(), hasFunction: rarely })
}

function kptfile(name: string, more = ''): string {
  return `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\n${more}`
}

const PIPELINE = 'pipeline:\n  mutators:\n  - image: set-labels:v0.2.0\n    configMap: {team: shop}\n'

function filesOf({ files, hasSub, hasFunction }: RandomPackage): TestFiles {
  const texts = Object.entries(files).map(([path, file]) => [path, path.endsWith('.json') ? jsonOf(file) : yamlOf(path, file)] as const)
  return {
    Kptfile: kptfile('upf', hasFunction ? PIPELINE : ''),
    ...(hasSub && { 'sub/Kptfile': kptfile('sub') }),
    ...Object.fromEntries(texts),
  }
}

function jsonOf({ resources, layout: { indent, isOpen } }: RandomFile): string {
  const [first] = Object.entries(resources)
  const [name, { values }] = first ?? ['x', { values: {} }]
  const data = Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])))
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }, undefined, indent) + (isOpen ? '' : '\n')
}

function yamlOf(path: string, { resources, layout: { crlf, bom, separator, isOpen } }: RandomFile): string {
  const documents = Object.entries(resources).map(([name, { values, comments }], at) => {
    const text = (place: Place) => (comments[place] === undefined ? '' : `# ${comments[place]} ${path} ${name} ${place}`)
    const above = (place: Place, indent = '') => (text(place) === '' ? '' : `${indent}${text(place)}\n`)
    const behind = (place: Place) => (text(place) === '' ? '' : ` ${text(place)}`)
    const entries = (['k', 'l'] as const).flatMap((key) =>
      values[key] === undefined ? [] : [`${above(`above ${key}`, '  ')}  ${key}: "${values[key]}"${behind(`behind ${key}`)}\n`],
    )
    const data = entries.length === 0 ? 'data: {}\n' : `data:\n${entries.join('')}`
    const own = `${above('head')}apiVersion: v1\nkind: ConfigMap${behind('behind kind')}\n${above('above metadata')}metadata:\n  name: ${name}\n`
    return `${at > 0 || separator ? `---${behind('separator')}\n` : ''}${own}${above('above data')}${data}${above('foot')}`
  })
  const whole = `${bom ? '\uFEFF' : ''}${documents.join('')}`
  const ended = isOpen ? whole.replace(/\n$/, '') : whole
  return crlf ? ended.replaceAll('\n', '\r\n') : ended
}

/** Returns a package in which some files and resources are those of another one. */
function mixed(base: RandomPackage, other: RandomPackage, chosen: readonly boolean[]): RandomPackage {
  let at = 0
  const pick = <T>(a: T, b: T): T => (chosen[at++ % chosen.length] === true ? b : a)
  const paths = [...new Set([...Object.keys(base.files), ...Object.keys(other.files)])]
  const files = paths.flatMap((path) => {
    const [own, theirs] = [base.files[path], other.files[path]]
    const file = own === undefined || theirs === undefined || path.endsWith('.json') ? pick(own, theirs) : mixedFile(own, theirs, pick)
    return file === undefined ? [] : [[path, file] as const]
  })
  const { hasSub, hasFunction } = { hasSub: pick(base, other).hasSub, hasFunction: pick(base, other).hasFunction }
  return { files: Object.fromEntries(files), hasSub, hasFunction }
}

function mixedFile(own: RandomFile, theirs: RandomFile, pick: <T>(a: T, b: T) => T): RandomFile | undefined {
  const names = [...new Set([...Object.keys(own.resources), ...Object.keys(theirs.resources)])]
  const resources = names.flatMap((name) => {
    const resource = pick(own, theirs).resources[name]
    return resource === undefined ? [] : [[name, resource] as const]
  })
  return resources.length === 0 ? undefined : { resources: Object.fromEntries(resources), layout: pick(own, theirs).layout }
}

class Fleet extends TestFleet {
  /** Renders a revision of the package, and returns the messages. */
  render(revision: number): readonly string[] {
    const variant = KrmObject.fromDocument(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: edge-01-upf, namespace: fleet}
spec:
  upstream: {repo: catalog, package: upf, revision: ${revision}}
  downstream: {repo: edge-01, package: upf}
`)
    const request = { ...this.plan([variant], { fleet: 'f' }), functions: catalogFunctions(), isDryRun: false }
    const refused: Result[] = []
    const report = collectFaults(refused, () => finish(renderToFolder(request)))
    return [...(report?.results ?? []), ...refused].map(formatResult)
  }

  /** Returns the files of the rendered package. */
  rendered(): Readonly<Record<string, string>> {
    const folder = join(this.root, 'out/edge-01/upf')
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const places = entries.map(({ parentPath, name }) => join(parentPath, name)).sort()
    return Object.fromEntries(places.map((place) => [place.slice(folder.length + 1), readFileSync(place, 'utf8')]))
  }
}

/** Runs an act with a fleet whose catalog has two revisions. */
function withFleet(revisions: readonly TestFiles[], act: (fleet: Fleet) => void): void {
  const fleet = new Fleet()
  try {
    for (const [at, files] of revisions.entries()) fleet.writeAll(`catalog/upf@v${at + 1}`, files)
    act(fleet)
  } finally {
    fleet.remove()
  }
}

/** Returns files of which those below a folder that is no subpackage any more have no layout: that of the package stays. */
function withoutLayoutBelow(folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const bare = (text: string) =>
    text
      .replaceAll(/\r|^\uFEFF/g, '')
      .replaceAll(/^---.*\n/gm, '')
      .trimEnd()
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, path.startsWith(folder) ? bare(text) : text]))
}

const CHOICE = fc.array(fc.boolean(), { minLength: 5, maxLength: 20 })
const RUNS = { numRuns: randomRuns(8) }

test('an update of an unedited package is a new clone of the revision, byte for byte', () => {
  fc.assert(
    fc.property(packages('base'), packages('up'), CHOICE, (base, other, chosen) => {
      const after = mixed(base, other, chosen)
      const revisions = [filesOf(base), filesOf(after)]
      const isPassing = base.hasSub && !after.hasSub
      const messages: string[] = []
      let [updated, cloned]: Readonly<Record<string, string>>[] = []
      withFleet(revisions, (fleet) => {
        fleet.render(1)
        messages.push(...fleet.render(2))
        updated = fleet.rendered()
      })
      withFleet(revisions, (fleet) => {
        fleet.render(2)
        cloned = fleet.rendered()
      })
      const shown = (files = {}) => (isPassing ? withoutLayoutBelow('sub/', files) : files)
      const isOther = (text: string) => !/function|\[duplicate-object\]/.test(text) && !(isPassing && text.includes('keeps its own lines'))
      const others = messages.filter(isOther)
      expect({ files: shown(updated), messages: others }).toEqual({ files: shown(cloned), messages: [] })
    }),
    RUNS,
  )
})

test('each comment that an update drops is in a message, and a file of JSON stays one', () => {
  fc.assert(
    fc.property(packages('base'), packages('up'), packages('mine'), CHOICE, CHOICE, (base, up, mine, inTheirs, inOurs) => {
      const [before, after, edited] = [base, mixed(base, up, inTheirs), mixed(base, mine, inOurs)].map(filesOf)
      withFleet([before ?? {}, after ?? {}], (fleet) => {
        fleet.render(1)
        const { Kptfile: _, ...edits } = edited ?? {}
        const gone = Object.keys(before ?? {}).filter((path) => path !== 'Kptfile' && edits[path] === undefined)
        fleet.writeAll('out/edge-01/upf', { ...edits, ...Object.fromEntries(gone.map((path) => [path, undefined])) })
        const was = fleet.rendered()
        const messages = fleet.render(2)
        const is = fleet.rendered()
        if (messages.some((message) => / error: /.test(message))) return void expect(is).toEqual(was)
        const left = `${Object.values(is).join('\n')}\n${messages.join('\n')}`
        const written = [was, after ?? {}].flatMap(
          (texts) =>
            Object.values(texts)
              .join('\n')
              .match(/# (?:up|mine) [^\r\n]*/g) ?? [],
        )
        const isWholeTold = (text: string) => {
          const [, , path = '', name = ''] = text.split(' ')
          const isOfSub = path.startsWith('sub/') && messages.some((message) => /`(?:Kptfile )?sub`/.test(message))
          return isOfSub || messages.some((message) => message.includes(`ConfigMap ${name}\``) || message.includes(`\`${path}\``))
        }
        expect([written.filter((text) => !left.includes(text) && !isWholeTold(text)), messages]).toEqual([[], messages])
        for (const [path, text] of Object.entries(is)) if (path.endsWith('.json')) JSON.parse(text)
      })
    }),
    RUNS,
  )
})
