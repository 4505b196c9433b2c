package rule

// Version is the version of what Compare finds. Raise it whenever its answer
// for some pair changes: pairs that were compared before are compared again then.
// Version is that of Entities, and indexes depend on it.
const Version = 2
