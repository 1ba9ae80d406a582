package compare

// The texts of this package that are in no key table.
const (
	unknownFigure     = "–"
	nothingToLose     = "none"
	wholeRun          = "the calls of this thread; the whole run: "
	noModelNamed      = "no cost: the record names no model"
	noListPrice       = "no cost: no list price of "
	viewsOf           = "views of "
	ofThisThread      = " of this thread"
	asRecorded        = "as recorded"
	fullHistory       = "full history"
	runsProgramAlways = "runs a program at every call: use lens compare"
	neverRecorded     = "not recorded at any call"
	theTable          = "the table"
	notComputedYet    = "not computed yet"
	nothingLost       = "this strategy loses nothing that later replies used"
	signs             = "  ◆ no other costs less and loses less · ● recorded"
	notComputed       = "not computed"
	losesNothing      = "loses nothing that later replies used"
	reading           = "reading the texts…"
	hintOfColumns     = "← → sort by a column and say what it means · tokens are those of whole prompts"
	listedForOne      = "what a strategy loses is listed for one thread: a goes back to it"

	onlyThread  = "the run has one thread with calls"
	lossesOfOne = "listed for one thread: a goes back to it"
	plotTitle   = "needed later against "
)
