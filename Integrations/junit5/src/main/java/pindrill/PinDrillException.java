package pindrill;

/** PinDrill could not be asked, or gave no verdict. */
public class PinDrillException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public PinDrillException(String message) {
        super(message);
    }
}
