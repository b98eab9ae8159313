import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { Staging } from '../src/folder/staging.ts'
import { answered } from '../src/pipeline/calls.ts'
import { downstreamFolders } from '../src/render/disk/folder-request.ts'
import { LastRender } from '../src/render/disk/last-render.ts'
import { renderStep } from '../src/render/disk/render-step.ts'
import { stagePackage } from '../src/render/disk/stage-packages.ts'
import type { RenderedStep } from '../src/render/made-packages.ts'
import type { RenderOptions } from '../src/render/options.ts'
import { planRender } from '../src/render/plan-render.ts'
import { KrmObject } from '../src/resource-list/krm-object.ts'
import { catalogFunctions, TestFleet } from './test-fleet.ts'

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n'

/** What differs from a usual run. */
interface SitesRun {
  readonly request?: string
  readonly options?: string
  readonly started?: number
  readonly isStable?: (folder: string) => boolean
  /** Returns a rendered package as the record takes it. */
  readonly taken?: (rendered: RenderedStep) => RenderedStep
  /** Is called when every package is at its place. */
  readonly committed?: () => void
}

/** A fleet of packages `site-N/web`, each made from `catalog/web@v1`. */
export class SitesFleet extends TestFleet {
  /** Fields of the spec of each variant, as YAML, by its site. */
  readonly specs = new Map<number, string>()
  readonly names = new Map<number, string>()
  readonly upstreams = new Map<number, string>()
  readonly downstreams = new Map<number, string>()
  /** The value of the ConfigMap in the fleet. */
  #value = 'a'
  options: Partial<RenderOptions> = {}
  runsFunctions = true
  readonly #sites: number

  constructor(sites: number) {
    super()
    this.#sites = sites
    onTestFinished(() => this.remove())
    for (const revision of [1, 2]) {
      this.write(`catalog/web@v${revision}/Kptfile`, KPTFILE)
      this.write(`catalog/web@v${revision}/a.yaml`, `kind: A\napiVersion: v1\nmetadata: {name: a}\ndata: {revision: ${revision}}\n`)
      this.write(`catalog/web@v${revision}/notes.txt`, 'notes\n')
    }
  }

  get record(): string {
    return join(this.root, 'cache/record')
  }

  place(site: number, path = ''): string {
    return join(this.root, 'out', `site-${site}/web`, path)
  }

  /** Returns the site of a package. */
  siteOf(folder: string): number {
    return Number(/\d+/.exec(folder)?.[0])
  }

  /** Returns the names of the upstream packages in the record. */
  upstreamsOfRecord(): readonly string[] {
    return [...this.last().digests.upstreams.keys()].sort()
  }

  #variants(): readonly KrmObject[] {
    return Array.from({ length: this.#sites }, (_, site) => {
      const name = this.names.get(site) ?? `site-${site}x`
      const upstream = this.upstreams.get(site) ?? 'repo: catalog, package: web, revision: 1'
      const text = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: ${name}}
spec:
  upstream: {${upstream}}
  downstream: {repo: site-${site}, package: ${this.downstreams.get(site) ?? 'web'}}
${this.specs.get(site) ?? ''}`
      return KrmObject.fromDocument(text, { path: 'fleet.yaml', index: site, line: 1 })
    })
  }

  setValue(value: string): void {
    this.#value = value
  }

  last({ request = 'request', started = Date.now() + 60_000 }: SitesRun = {}): LastRender {
    return new LastRender({ file: this.record, out: join(this.root, 'out'), request, started })
  }

  /** Renders the fleet, and returns the sites whose packages were opened and the warnings about upstreams. */
  run(run: SitesRun = {}): { readonly opened: readonly number[]; readonly warnings: readonly string[] } {
    const values = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values}\ndata: {value: ${this.#value}}\n`
    const items = [...this.#variants(), KrmObject.fromDocument(values, { path: 'values.yaml', index: 0, line: 1 })]
    const request = {
      ...this.plan(items, { followRenames: true, ...this.options }),
      ...(this.runsFunctions && { functions: catalogFunctions() }),
    }
    const out = { disk: join(this.root, 'out'), shown: 'out' }
    const plan = planRender({ ...request, places: () => request.places, downstreams: downstreamFolders(out) })
    expect(plan.results.filter(({ severity }) => severity === 'error')).toEqual([])
    const record = this.last(run).begin(plan, items, run.options ?? 'options')
    const staging = new Staging(out.disk)
    const opened = plan.steps.filter((step) => {
      if (step.op === 'leave' || record.isAsLeft(step)) return false
      const rendered = answered(renderStep(step, this.contextOf(plan)))
      record.take(run.taken?.(rendered) ?? rendered)
      stagePackage(rendered, staging, out)
      return true
    })
    const warnings = record.changedInPlace()
    record.beforeCommit()
    staging.commit()
    run.committed?.()
    record.afterCommit(({ folder }) => run.isStable?.(folder) !== false)
    return {
      opened: opened.map(({ folder }) => this.siteOf(folder)).sort((a, b) => a - b),
      warnings: warnings.map(({ tags, file, message }) => `${file?.path}#${file?.index} ${tags.rule}: ${message}`),
    }
  }
}
