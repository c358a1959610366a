// What WAI-ARIA says about roles and attributes, as data: which roles exist, what names them, which states they have.
//
// WAI-ARIA 1.2, "Definition of Roles", with the roles that 1.3 adds, and the roles of the digital publishing
// (DPUB-ARIA 1.1) and graphics (Graphics-ARIA 1.0) modules, so that `role="doc-chapter region"` means its first
// token. Abstract roles are not listed: authors can't use them.

const words = text => new Set(text.split(/\s+/));

const ROLES = words(`alert alertdialog application article banner blockquote button caption cell checkbox code
  columnheader combobox comment complementary contentinfo definition deletion dialog directory document emphasis
  feed figure form generic grid gridcell group heading image img insertion link list listbox listitem log main
  mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option
  paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox
  sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript switch
  tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem doc-abstract
  doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref
  doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote
  doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary
  doc-glossref doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader
  doc-pagelist doc-part doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc
  graphics-document graphics-object graphics-symbol`);

// "Roles Supporting Name from Content".
const NAMED_FROM_CONTENT = words(`button cell checkbox columnheader comment gridcell heading link menuitem
  menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem doc-backlink
  doc-biblioref doc-glossref doc-noteref doc-subtitle`);

// "Roles which cannot be named (Name prohibited)"; 1.3 adds mark and suggestion.
const NAME_PROHIBITED = words(`caption code deletion emphasis generic insertion mark none paragraph presentation
  strong subscript suggestion superscript`);

// "Global States and Properties", without those that 1.2 deprecates as global ones (aria-disabled, aria-invalid …).
const GLOBAL_ATTRIBUTES = `aria-atomic aria-braillelabel aria-brailleroledescription aria-busy aria-controls
  aria-current aria-describedby aria-description aria-details aria-dropeffect aria-flowto aria-grabbed
  aria-hidden aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns aria-relevant
  aria-roledescription`.split(/\s+/);

// The roles that have a state, from each state's "Used in Roles" and "Inherits into Roles".
const STATEFUL = {
  checked: words('checkbox menuitemcheckbox menuitemradio option radio switch treeitem'),
  disabled: words(`application button checkbox columnheader combobox grid gridcell group link listbox menu
    menubar menuitem menuitemcheckbox menuitemradio option radio radiogroup row rowheader scrollbar searchbox
    separator slider spinbutton switch tab tablist textbox toolbar tree treegrid treeitem`),
  expanded: words(`application button checkbox columnheader combobox gridcell link listbox menuitem
    menuitemcheckbox menuitemradio row rowheader switch tab treeitem`),
  invalid: words(`application checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox
    slider spinbutton switch textbox tree treegrid`),
  level: words('comment heading listitem row treeitem'),
  pressed: words('button'),
  readonly: words(`checkbox combobox columnheader grid gridcell listbox menuitemcheckbox menuitemradio radiogroup
    rowheader searchbox slider spinbutton switch textbox treegrid`),
  required: words(`checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox spinbutton switch
    textbox tree treegrid`),
  selected: words('columnheader gridcell option row rowheader tab treeitem'),
};

// Roles whose value is a number in a range.
const RANGES = words('meter progressbar scrollbar slider spinbutton');
