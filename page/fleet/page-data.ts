/** The data of the page: one JSON document in its HTML. */
export interface PageData {
  readonly title: string
  /** A line that summarizes the plan or fleet. */
  readonly summary: string
  /** The part that the page shows first. */
  readonly first: 'changes' | 'graph'
  readonly findings: readonly string[]
  /** Each origin once, since thousands of variants share one. */
  readonly origins: readonly FieldOrigin[]
  readonly variants: readonly PageVariant[]
  readonly graph: {
    readonly nodes: readonly { readonly id: string; readonly type: string; readonly label: string; readonly ring?: string }[]
    readonly edges: readonly { readonly from: string; readonly to: string; readonly label: string }[]
    /** The columns of variants, in their order of trust. */
    readonly rings: readonly { readonly id: string; readonly label: string; readonly column: number }[]
  }
}

export interface PageVariant {
  readonly op: string
  readonly name: string
  readonly namespace: string
  readonly oldName?: string
  readonly place?: string
  /** As the page names them, with their places. */
  readonly set?: string
  readonly target?: string
  readonly object?: string
  /** The ring of a variant of a matrix. */
  readonly ring?: string
  /** '' where no cluster is known. */
  readonly cluster: string
  readonly reason: string
  readonly labels: Readonly<Record<string, string>>
  readonly fields: readonly PageField[]
}

/** The path, value and origin of a field, the value that was there, and the values that its expressions read. */
export interface PageField {
  readonly origin: number
  readonly value: string
  readonly before?: string
  readonly reads?: readonly string[]
}

/** The origin of a field's value. */
export interface FieldOrigin {
  readonly path: string
  /** `static`, `default` or the texts of the expressions. */
  readonly source: string
  readonly place: string
}
