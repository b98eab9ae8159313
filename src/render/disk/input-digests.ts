import { shortDigest } from '../../folder/folder-print.ts'
import { isBytes } from '../../merge/package-files.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import type { UpstreamRevision } from '../../upstream/upstream-search.ts'
import { isPackageVariant } from '../../variant/find-variant.ts'
import type { RenderPlan } from '../plan-render.ts'
import type { RenderContext } from '../render-request.ts'

/** Computes digests of everything that packages are made from. */
export class InputDigests {
  readonly #renderContext: RenderContext
  readonly #items: readonly KrmObject[]
  readonly #options: string
  /** The digests of the options and of the upstream revisions. */
  readonly #upstreams = new Map<UpstreamRevision, string>()
  readonly #sources = new Map<SourcePackage, string>()
  #context: string | undefined

  /** @param options  all options, and the version of the tool */
  constructor(renderContext: RenderContext, items: readonly KrmObject[], options: string) {
    this.#renderContext = renderContext
    this.#items = items
    this.#options = options
  }

  of({ variant: { object, name }, upstream }: RenderPlan['steps'][number]): string {
    return shortDigest(
      this.#upstreamDigest(upstream),
      object.toText(),
      JSON.stringify(this.#renderContext.variantNames.beginningWith(name)),
      object.mayHold('injectors') ? this.#contextDigest() : '',
    )
  }

  #upstreamDigest(upstream: UpstreamRevision): string {
    const { origin, source } = upstream
    return remember(this.#upstreams, upstream, () => shortDigest(this.#options, JSON.stringify(origin), this.digestOf(source)))
  }

  /** Returns the digest of the files of an upstream package. */
  digestOf(source: SourcePackage): string {
    return remember(this.#sources, source, digestOfSource)
  }

  /** Returns the digest of all objects that could be injected. */
  #contextDigest(): string {
    this.#context ??= shortDigest(...this.#items.filter((item) => !isPackageVariant(item)).map((item) => item.toText()))
    return this.#context
  }
}

function digestOfSource({ files, layouts, modes }: SourcePackage): string {
  const parts = [...files].flatMap(([path, content]): (string | Uint8Array)[] => {
    const documents = layouts.get(path)?.documents.map(({ text }) => text)
    return [
      path,
      String(modes.get(path) ?? ''),
      ...(isBytes(content) ? [content] : (documents ?? content.map((object) => object.toText()))),
    ]
  })
  return shortDigest(...parts)
}
