import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { wholeVariant } from '../../fleet/fleet-variants.ts'
import { packagePlaces } from '../../lifecycle/testing/places-of.ts'
import { isBytes } from '../../merge/package-files.ts'
import { answered } from '../../pipeline/calls.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { type SourcePlaces, sourceOfTexts } from '../../upstream/testing/source-of-texts.ts'
import type { RenderedContent } from '../clone/rendered-package.ts'
import type { RenderOptions } from '../options.ts'
import { renderPackage } from '../package/render-package.ts'
import { planRender } from '../plan-render.ts'
import type { RenderedPackage } from '../render-request.ts'
import type { PackageFunctions } from '../runs/package-functions.ts'

export const OPTIONS: RenderOptions = {
  repositories: new Map(),
  clone: 'kpt',
  status: false,
  followRenames: false,
  discardEdits: false,
  allowMoved: false,
  allowEmpty: false,
}

/** The render of one package in memory. */
export interface RenderOfTexts {
  /** The upstream packages by folder, `catalog/shop@v1`, and those in git. */
  readonly upstreams: SourcePlaces
  /** The revision that the variant asks for. */
  readonly revision: number
  /** Lines of the variant's spec. */
  readonly spec?: string
  readonly name?: string
  /** The downstream package of the variant, REPOSITORY/PACKAGE. */
  readonly downstream?: string
  readonly files?: Texts
  readonly isMoved?: boolean
  readonly options?: Partial<RenderOptions>
  readonly functions?: PackageFunctions
}

/** A package as a render leaves it, and the whole answer. */
export interface RenderedTexts {
  readonly texts: Texts
  /** The findings, each as `SEVERITY RULE`. */
  readonly rules: readonly string[]
  readonly rendered: RenderedPackage
}

/** Renders the package of one variant of `catalog/shop`. */
export function renderOfTexts(asked: RenderOfTexts): RenderedTexts {
  const { upstreams, revision, spec = '', name = 'edge-shop', downstream = 'edge/shop', files, isMoved = false, functions } = asked
  const [repo, ...path] = downstream.split('/')
  const object = KrmObject.fromDocument(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: ${name}}
spec:
  upstream: {repo: catalog, package: shop, revision: ${revision}}
  downstream: {repo: ${repo}, package: ${path.join('/')}}
${spec}`)
  const { steps, results, renderContext } = planRender({
    items: [object],
    options: { ...OPTIONS, ...asked.options },
    packageSource: sourceOfTexts(upstreams),
    places: () => packagePlaces({}),
    ...(functions && { functions }),
  })
  const [step] = steps
  if (step === undefined) throw new Error(`must be a variant with an upstream: ${results.map(({ message }) => message).join()}`)
  const request = {
    variant: wholeVariant(step.variant),
    upstream: step.upstream,
    folder: downstream,
    isMoved,
    ...(files && { downstream: packageOfTexts(files) }),
  }
  const rendered = answered(renderPackage(request, renderContext))
  const written = new Map([...rendered.files].map(([path, content]) => [path, textOf(content)]))
  for (const [path, bytes] of rendered.run?.changed ?? []) {
    if (bytes === undefined) written.delete(path)
    else written.set(path, textOf(bytes))
  }
  return {
    texts: Object.fromEntries(written),
    rules: [...rendered.results, ...(rendered.run?.results ?? [])].map(({ severity, tags }) => `${severity} ${tags.rule}`),
    rendered,
  }
}

function textOf(content: RenderedContent): string {
  if (isBytes(content)) return new TextDecoder().decode(content)
  return content.map(({ object }) => object.toText()).join('---\n')
}
