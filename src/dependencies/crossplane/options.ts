/** What the function config says about Crossplane. */
export interface CrossplaneOptions {
  /** Which forms of dependsOn are read: those of today, or those of seed 003. */
  readonly crossplaneSemantics: 'current' | 'seed'
  readonly crossplaneVersion?: string | undefined
  /** Whether what is installed for a package gets its packagePullSecrets and packagePullPolicy. */
  readonly inheritPullSettings?: boolean | undefined
}
