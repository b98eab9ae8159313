/** What the page shows: one JSON document within it. */
export interface PageData {
  readonly title: string
  /** What the plan or fleet comes to, in a line. */
  readonly summary: string
  /** Whether the changes come first, or the graph. */
  readonly first: 'changes' | 'graph'
  readonly findings: readonly string[]
  /** Every origin of a value once: thousands of variants share them. */
  readonly origins: readonly FieldOrigin[]
  readonly variants: readonly PageVariant[]
  readonly graph: {
    readonly nodes: readonly { readonly id: string; readonly type: string; readonly label: string }[]
    readonly edges: readonly { readonly from: string; readonly to: string; readonly label: string }[]
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

/** Where the value of a field comes from. */
export interface FieldOrigin {
  readonly path: string
  /** `static`, `default` or the texts of the expressions. */
  readonly source: string
  readonly place: string
}
